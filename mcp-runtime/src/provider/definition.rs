//! What the definitions of all kinds have in common.

use serde_json::{Map, Value};

/// The members that every definition may have, as methods of its builder.
macro_rules! described {
    ($definition:ty) => {
        impl $definition {
            /// States a name for people.
            #[must_use]
            pub fn title(self, title: impl Into<String>) -> Self {
                self.member("title", title.into())
            }

            /// Says what it is for.
            #[must_use]
            pub fn description(self, description: impl Into<String>) -> Self {
                self.member("description", description.into())
            }

            /// States any other member of the definition, such as `icons` or `_meta`.
            #[must_use]
            pub fn member(mut self, key: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
                self.members.insert(key.into(), value.into());
                self
            }
        }
    };
}

pub(super) use described;

/// A definition as it stands in a list: the members that make it what it is, then the others.
pub(super) fn to_json(own: &[(&str, &str)], members: &Map<String, Value>) -> String {
    let mut all = Map::new();
    for (key, value) in own {
        all.insert((*key).to_owned(), (*value).into());
    }
    for (key, value) in members.iter().filter(|(key, _)| own.iter().all(|(taken, _)| taken != key)) {
        all.insert(key.clone(), value.clone());
    }
    Value::Object(all).to_string()
}
