//! The tools that are listed and never called.

use crate::Bench;
use crate::api;

macro_rules! stubs {
    ($($tool:ident),* $(,)?) => {
        $(impl api::$tool for Bench {})*
    };
}

stubs![
    ListIssue,
    GetIssue,
    CreateIssue,
    UpdateIssue,
    SearchIssue,
    ListPullRequest,
    GetPullRequest,
    CreatePullRequest,
    UpdatePullRequest,
    SearchPullRequest,
    ListCustomer,
    GetCustomer,
    CreateCustomer,
    UpdateCustomer,
    SearchCustomer,
    ListInvoice,
    GetInvoice,
    CreateInvoice,
    UpdateInvoice,
    SearchInvoice,
    ListCalendarEvent,
    GetCalendarEvent,
    CreateCalendarEvent,
    UpdateCalendarEvent,
    SearchCalendarEvent,
    ListDocument,
    GetDocument,
    CreateDocument,
    UpdateDocument,
    SearchDocument,
    ListDeployment,
    GetDeployment,
    CreateDeployment,
    UpdateDeployment,
    SearchDeployment,
    ListDatabaseRow,
    GetDatabaseRow,
    CreateDatabaseRow,
    UpdateDatabaseRow,
    SearchDatabaseRow,
    ListMessage,
    GetMessage,
    CreateMessage,
    UpdateMessage,
    SearchMessage,
    ListAlert,
    GetAlert,
    CreateAlert,
    UpdateAlert,
    SearchAlert,
];
