//! Playing: the clock steps by itself, until all outputs are over.

use super::command::DecodeCommand;
use super::state::AppState;

/// Steps a second, for a person to choose from.
pub const SPEEDS: [f32; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];

/// Where playing stands.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Playback {
    pub(super) is_on: bool,
    /// Seconds since the last step.
    waited: f64,
}

impl AppState {
    /// Whether the clock steps by itself.
    pub const fn is_playing(&self) -> bool {
        self.playback.is_on
    }

    /// Seconds until the clock steps by itself; `None` while it does not.
    pub fn next_step_in(&self) -> Option<f64> {
        let playback = self.playback;
        playback
            .is_on
            .then(|| (self.seconds_a_step() - playback.waited).max(0.0))
    }

    fn seconds_a_step(&self) -> f64 {
        1.0 / f64::from(self.preferences.speed.steps_a_second())
    }

    /// Starts from the beginning where everything is over; stops what plays.
    pub(super) fn play(&mut self, on: bool) {
        let waited = if on && !self.can_step() {
            let _ = self.apply_decode(DecodeCommand::First);
            0.0
        } else {
            // The first step comes at once.
            self.seconds_a_step()
        };
        self.playback = Playback {
            is_on: on && self.can_step(),
            waited,
        };
    }

    /// Lets time pass.
    pub(super) fn play_for(&mut self, seconds: f64) {
        if !self.playback.is_on {
            return;
        }
        self.playback.waited += seconds;
        if self.playback.waited >= self.seconds_a_step() {
            // One step a frame: a frame that took long is not made up for.
            self.playback.waited = 0.0;
            let _ = self.apply_decode(DecodeCommand::Step);
            self.playback.is_on = self.can_step();
            self.revision += 1;
        }
    }
}
