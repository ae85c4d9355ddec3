//! What explorers and researchers read in the deployed bytes: whom to tell about a vulnerability.
//!
//! The project has no address of its own. Whoever deploys to mainnet writes theirs here and builds again: the deployment
//! refuses bytes without a `project_url` there.

use solana_security_txt::security_txt;

security_txt! {
    name: "Rule-Set and Pass Service",
    project_url: "",
    contacts: "other:a private security advisory in the repository of the source code",
    policy: "SECURITY.md of the source code says what to write, what counts and what is supported.",
    preferred_languages: "en",
    auditors: "None"
}
