//! Semantic kinds: a set of bits that says which words go together.
//!
//! They keep the sentences plausible: one eats food, drives a car, and wears a coat.

/// A set of kinds.
pub(in crate::synthetic) type Kinds = u64;

/// People.
pub(in crate::synthetic) const PERSON: Kinds = 1;
/// Animals.
pub(in crate::synthetic) const ANIMAL: Kinds = 1 << 1;
/// What one eats.
pub(in crate::synthetic) const FOOD: Kinds = 1 << 2;
/// What one drinks.
pub(in crate::synthetic) const DRINK: Kinds = 1 << 3;
/// What one reads and writes.
pub(in crate::synthetic) const TEXT: Kinds = 1 << 4;
/// Things one can carry.
pub(in crate::synthetic) const OBJECT: Kinds = 1 << 5;
/// Means of transport.
pub(in crate::synthetic) const VEHICLE: Kinds = 1 << 6;
/// Places one can be in.
pub(in crate::synthetic) const PLACE: Kinds = 1 << 7;
/// Places one goes to.
pub(in crate::synthetic) const GOAL: Kinds = 1 << 8;
/// Furniture on and under which things lie.
pub(in crate::synthetic) const SURFACE: Kinds = 1 << 9;
/// Clothes.
pub(in crate::synthetic) const CLOTHES: Kinds = 1 << 10;
/// Plants.
pub(in crate::synthetic) const PLANT: Kinds = 1 << 11;
/// Methods, models and other countable technical things.
pub(in crate::synthetic) const TECH: Kinds = 1 << 12;
/// Fields of knowledge: no English article, no plural.
pub(in crate::synthetic) const FIELD: Kinds = 1 << 13;
/// Models that are trained.
pub(in crate::synthetic) const TRAINABLE: Kinds = 1 << 14;
/// Relatives and friends: adjectives such as *beau* or *petit* would change their sense.
pub(in crate::synthetic) const KIN: Kinds = 1 << 15;
/// Occupations.
pub(in crate::synthetic) const JOB: Kinds = 1 << 16;
/// Parts of a building: *la porte de la maison*.
pub(in crate::synthetic) const PART: Kinds = 1 << 17;
/// What has such parts.
pub(in crate::synthetic) const WHOLE: Kinds = 1 << 18;
/// What one opens and closes.
pub(in crate::synthetic) const OPENABLE: Kinds = 1 << 19;
/// What one listens to.
pub(in crate::synthetic) const SOUND: Kinds = 1 << 20;
/// Languages.
pub(in crate::synthetic) const LANGUAGE: Kinds = 1 << 21;
/// What is easy or difficult.
pub(in crate::synthetic) const TASK: Kinds = 1 << 22;
/// Things of any colour.
pub(in crate::synthetic) const PAINTED: Kinds = 1 << 23;
/// Animals in the colours of animals.
pub(in crate::synthetic) const FUR: Kinds = 1 << 24;
/// Fruit in the colours of fruit.
pub(in crate::synthetic) const FRUIT: Kinds = 1 << 25;
/// Children, who are small or big.
pub(in crate::synthetic) const CHILD: Kinds = 1 << 26;
/// Words that change their sense after a possessive (*ma femme*, *ma fille*).
pub(in crate::synthetic) const UNOWNED: Kinds = 1 << 27;
/// Food and drink served hot or cold.
pub(in crate::synthetic) const SERVED: Kinds = 1 << 28;
/// Vehicles with a driver.
pub(in crate::synthetic) const DRIVEN: Kinds = 1 << 29;
/// What *neural* goes with.
pub(in crate::synthetic) const NEURAL: Kinds = 1 << 30;
/// What can be called French, English or Italian.
pub(in crate::synthetic) const ORIGIN: Kinds = 1 << 31;
/// Parents, of whom nobody has several fathers.
pub(in crate::synthetic) const PARENT: Kinds = 1 << 32;
