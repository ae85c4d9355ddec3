//! Client of the Rule-Set and Pass Service. `packages/program/scripts/render-rust-client.ts` renders `generated`.

pub mod generated;

pub use generated::programs::RULE_SET_PASS_ID;
pub use generated::*;
