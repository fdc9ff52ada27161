//! What a tool can answer.

use mcp_runtime::{Content, Context, ToolError, ToolResponse};

use crate::api::{
    TestAudioContent, TestEmbeddedResource, TestErrorHandling, TestImageContent, TestMultipleContentTypes,
    TestSimpleText, test_audio_content, test_embedded_resource, test_error_handling, test_image_content,
    test_multiple_content_types, test_simple_text,
};
use crate::{Everything, PIXEL, SILENCE};

impl TestSimpleText for Everything {
    async fn call(&self, _: test_simple_text::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok("This is a simple text response for testing.".into())
    }
}

impl TestImageContent for Everything {
    async fn call(&self, _: test_image_content::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(Content::image(PIXEL, "image/png").into())
    }
}

impl TestAudioContent for Everything {
    async fn call(&self, _: test_audio_content::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(Content::audio(SILENCE, "audio/wav").into())
    }
}

impl TestEmbeddedResource for Everything {
    async fn call(&self, _: test_embedded_resource::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        let text = "This is an embedded resource content.";
        Ok(Content::embedded_text("test://embedded-resource", text).mime_type("text/plain").into())
    }
}

impl TestMultipleContentTypes for Everything {
    async fn call(&self, _: test_multiple_content_types::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        let resource = Content::embedded_text("test://mixed-content-resource", r#"{"test":"data","value":123}"#);
        Ok(ToolResponse::text("Multiple content types test:")
            .with(Content::image(PIXEL, "image/png"))
            .with(resource.mime_type("application/json")))
    }
}

impl TestErrorHandling for Everything {
    async fn call(&self, _: test_error_handling::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Err(ToolError::internal("This tool intentionally returns an error for testing"))
    }
}
