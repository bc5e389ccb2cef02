//! The engine's side of the comparison with PyTorch and ONNX Runtime, for `engine.sh`.
//!
//! `compare_engine serve THREADS` reads a command a line and answers with a line of JSON, until its input ends or
//! says `quit`. It stays alive over all rounds, so that `engine.py` can ask one side after the other.
//!
//! | command                                   | answer                                                          |
//! |-------------------------------------------|-----------------------------------------------------------------|
//! | `decode SIZE SCORER S STEPS REPETITIONS`  | µs a step of a greedy decode, µs an encoding                     |
//! | `train SIZE SCORER B S T UPDATES`         | ms an update, target tokens a second                             |
//! | `memory`                                  | the most memory so far, in kB, and that at the start             |
//! | `dump SIZE SCORER FILE`                   | writes parameters and a decode for the twin to repeat            |
//! | `update SIZE SCORER UPDATES`              | loss and norm of updates without dropout, on the batch of `dump` |
//! | `cost SIZE SCORER B S T`                  | bytes a step reads, operations of a step and an update           |
//! | `bandwidth BYTES`                         | GB/s of reading so many bytes again and again                    |
//! | `peak`                                    | operations a second of a large product, and by the clock         |

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead as _, Write as _};

use regard::engine::{ScoreKind, Seq2Seq};
use regard::training::Trainer;
use serde_json::{Value, json};

#[path = "engine/limits.rs"]
mod limits;
#[path = "engine/model.rs"]
mod model;
#[path = "engine/reference.rs"]
mod reference;
#[path = "engine/speed.rs"]
mod speed;

use model::Size;

/// The program's own allocator (`src/main.rs`): it is the program that is compared.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub(crate) type Answer = Result<Value, Box<dyn Error>>;

/// What stays between commands: warm networks and trainers.
struct Server {
    threads: usize,
    start_kb: u64,
    networks: HashMap<String, Seq2Seq>,
    trainers: HashMap<String, Trainer>,
}

/// The most memory that the process had, in kB; 0 where the system does not tell.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    kb.unwrap_or(0)
}

fn score(name: &str) -> Result<ScoreKind, String> {
    ScoreKind::from_name(name).ok_or_else(|| format!("no score \"{name}\""))
}

impl Server {
    fn new(threads: usize) -> Self {
        Self {
            threads,
            start_kb: peak_kb(),
            networks: HashMap::new(),
            trainers: HashMap::new(),
        }
    }

    /// Answers the words of one line.
    fn answer(&mut self, words: &[&str]) -> Answer {
        let threads = self.threads;
        match *words {
            ["decode", size, scorer, source, steps, repetitions] => {
                let (kind, size) = (score(scorer)?, Size::named(size)?);
                let key = format!("{} {scorer}", size.name);
                let network = self
                    .networks
                    .entry(key)
                    .or_insert_with(|| size.network(kind));
                let sizes = [source.parse()?, steps.parse()?, repetitions.parse()?];
                speed::decode(network, sizes, threads)
            }
            ["train", size, scorer, batch, source, target, updates] => {
                let (kind, size) = (score(scorer)?, Size::named(size)?);
                let key = format!("{} {scorer}", size.name);
                let trainer = self
                    .trainers
                    .entry(key)
                    .or_insert_with(|| Trainer::new(size.network(kind)));
                let batch = size.batch(batch.parse()?, source.parse()?, target.parse()?);
                Ok(speed::train(trainer, &batch, updates.parse()?, threads))
            }
            ["memory"] => Ok(json!({"peak_kb": peak_kb(), "start_kb": self.start_kb})),
            ["dump", size, scorer, file] => {
                reference::dump(&Size::named(size)?, score(scorer)?, file)
            }
            ["update", size, scorer, updates] => Ok(reference::update(
                &Size::named(size)?,
                score(scorer)?,
                updates.parse()?,
                threads,
            )),
            ["cost", size, scorer, batch, source, target] => Ok(limits::cost(
                &Size::named(size)?.network(score(scorer)?),
                batch.parse()?,
                source.parse()?,
                target.parse()?,
            )),
            ["bandwidth", bytes] => Ok(limits::bandwidth(bytes.parse()?, threads)),
            ["peak"] => Ok(limits::peak(threads)),
            _ => Err(format!("no command \"{}\"", words.join(" ")).into()),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` adds an argument of its own.
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let [command, threads] = &arguments[..] else {
        println!("compare_engine serve THREADS; benches/compare/engine.sh compares");
        return Ok(());
    };
    if command != "serve" {
        return Err(format!("no command \"{command}\"").into());
    }
    let mut server = Server::new(threads.parse()?);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        if words == ["quit"] {
            break;
        }
        let answer = server.answer(&words);
        let answer = answer.unwrap_or_else(|error| json!({"error": error.to_string()}));
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
