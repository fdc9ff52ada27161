//! Resources whose content is not in the contract.

use std::sync::atomic::Ordering;

use mcp_runtime::{Completions, Context, Partial, RequestError, ResourceContents, json};

use crate::Everything;
use crate::api::{TemplateData, WatchedResource, template_data};

impl WatchedResource for Everything {
    async fn read(&self, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok(format!("Updated {} times.", self.updates.load(Ordering::Relaxed)).into())
    }
}

impl TemplateData for Everything {
    async fn read(&self, vars: template_data::Vars, _: &Context) -> Result<ResourceContents, RequestError> {
        let (id, data) = (json::encode(&vars.id), json::encode(&format!("Data for ID: {}", vars.id)));
        Ok(format!(r#"{{"id":{id},"templateTest":true,"data":{data}}}"#).into())
    }

    async fn complete_id(&self, partial: Partial, _: &Context) -> Result<Completions, RequestError> {
        Ok(Completions::matching(&partial, (1..=150).map(|id| id.to_string())))
    }
}
