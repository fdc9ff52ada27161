//! An issuer of tokens, with keys that serve no other purpose.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

pub(crate) const ISSUER: &str = "https://login.example";
pub(crate) const RESOURCE: &str = "https://vault.example/mcp";

/// The names of the keys.
pub(crate) const KIDS: [&str; 2] = ["first", "second"];
/// Two Ed25519 keys, in PKCS #8.
const PRIVATE: [&str; 2] = [
    "MC4CAQAwBQYDK2VwBCIEIFtAAofaQGHg/azgWKl352VcKUX6e8JQJCm5MdGtgztd",
    "MC4CAQAwBQYDK2VwBCIEIFSK/F6S3n29ApAt9sfQTdKFxs0bDjsXIW8jtUY+oxob",
];
const PUBLIC: [&str; 2] =
    ["VPFyXnbupM-YQd1bakewr8TAlPs3nTxly-mFlK-cGVc", "xxqaLE8oCuhsIeUlTVhGQAKNakmTeUqDoTUd5FSgMcI"];
const EC: &str = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8ZmWVRJfUwwtUwhm4/a6hwcYxwygKT/5EefC/UdveqahRANCAASW6+Az\
    EhiB0ydNIV3OD9c7II5EOhQorliw9IkVqFicwp+d1h+jTImdkzxQXhTKpFr8zb58dHKm5jh50i8giDRw";
const RSA: &str = "MIIEpAIBAAKCAQEAmFSBLcxMFOC1wV0pnjUkq4IRNj1TCURmAUHxVvfmwIPpEyOtIDKkuTYSi/16Lhbn3g/ixBQttGCv7nhLgsPn\
    gkpgDdUiF3DaY5VOcjZRvD8QLBJ7knP2MrTpmOMNwXlJU/d75XgHTFWnRZlX1otiA6cbhhWCuN6n/UJUtd0ilbwRG+lZGx6o+YLC\
    lzeV4VTh8tjUX7ipeI62KzJfexDeSw/Y07PxM5Tk1zyPenp+u9l0n6huAb90T9Q5KwjJSHXmt2AmkmAxpXzSE55o/y1FQ+xAEo2c\
    InxwessMAEl6Brk0Z3tgiUb/i+zWcpZcSOARtbYG7bCQppxT9RcShyoj4wIDAQABAoIBACH8PIPYwCKqTbKx086xwZgoISnuPZ/k\
    LDPcn/kMvuU1qOL1wzLbSafuue2UpFUzFBEVjzy62cWUCrxUB1jJ11VYvZxocD41levAzGsr1kl+8l860moGyCdg+Hr9MTz4j9UV\
    coVsJYiw1WxwPUom97uj5T6hfvQ67NTSny6iAwzPu+qyMXmbXya/KN4p7ItiLja389dxQa4LNXGGdMqHCI+QH5TsDHjzHDu/Eh9p\
    h+ISso//mxkkklhrO7kasfKkLxroTk3WnDh+bVx/hXnPcEzQjYRs4aHoBlEMog0Gmqc2OFnvTdyimlo8gwSYUcgHD7N72/Z09shr\
    cnrrptWectECgYEA0MvG254oifg1Dqnwg60A7/ZewdCBcizt8NB8m5vuIeKjPBkOZ9erhCOvZO08AE84lnWP0Hbt1y6B4GZ+hzu7\
    5rnxSiY5llLlMdx/xZ4aL1o56AEF2vDs8Alh6Z856qNg/pRAc3KPekNYwXD32Xsop8838rOjNFG0jSWpxQl5aRMCgYEAusS4vqz2\
    qwkkUdAB0k1IQ/Hzi4/wyTth0cf/5jBBZob27TJ7JEPjeWQMhms/reNRHUmrcsy8NbvtxFM3zQ1hfYhmN4Z1ckE0K+qpisPnDwKW\
    Z0ihll8h4JkjZXXFRMCxcyVTG99WldK0gNbOGeMErK1GFn9RI/cXS9wBJgExA/ECgYEAq6a7ZxWREkwholqHRllWKfCLWh8GLE1P\
    l+huaKc6kFT4CZI3y5r8gHet2/VEnKSESv1/K8x6H6s2Trs0Tg0HntlCysi+Ex03G1TBHj+qGz+710XwAFyNDZFJE305afLC7MgI\
    bGDEH6l6MB2lRQABHmQ3BKo2A+8f1eIevcPaMk0CgYAc5PBb93BV950Z1x9hBLnIYTc3gTZUO46foNxzJUYI8ZpkCepJKwOXNSZG\
    6XK5mTBkYpBWu1vmyEM5m1JHs+lAPYjq0C99VJ8YqD5AjJxDkzfnlLIDDIa2M5rpSHYTc+hAEycvabcAiM+KGzFZieigOlJciqfn\
    84M0Jj47PfXyUQKBgQCV6z7lLLgZWksW77aaeHtMk67b/YAdUSlTBAqtcjalCwf9c+sQ6zd/xkbNP8OK+3Lbxh3pu4dnwqKHfPt4\
    LLTZNBJkP4NM0P7d+1ZHRiPNDUT3PdzDye64Zz2oUp6vjTTDoFgPqbs6BxiXjZULzXdEeYkWapg1N3thmizzcCzTww==";
const MODULUS: &str = "mFSBLcxMFOC1wV0pnjUkq4IRNj1TCURmAUHxVvfmwIPpEyOtIDKkuTYSi_16Lhbn3g_ixBQttGCv7nhLgsPngkpgDdUiF3DaY5VO\
    cjZRvD8QLBJ7knP2MrTpmOMNwXlJU_d75XgHTFWnRZlX1otiA6cbhhWCuN6n_UJUtd0ilbwRG-lZGx6o-\
    YLClzeV4VTh8tjUX7ipeI62KzJfexDeSw_Y07PxM5Tk1zyPenp-u9l0n6huAb90T9Q5KwjJSHXmt2AmkmAxpXzSE55o_y1FQ-\
    xAEo2cInxwessMAEl6Brk0Z3tgiUb_i-zWcpZcSOARtbYG7bCQppxT9RcShyoj4w";

/// The set with one of the two keys.
pub(crate) fn keys(index: usize) -> String {
    json!({ "keys": [key(index)] }).to_string()
}

pub(crate) fn key(index: usize) -> Value {
    json!({ "kty": "OKP", "crv": "Ed25519", "kid": KIDS[index], "x": PUBLIC[index], "use": "sig" })
}

pub(crate) fn ec_key() -> Value {
    json!({
        "kty": "EC", "crv": "P-256", "kid": "ec", "x": "luvgMxIYgdMnTSFdzg_XOyCORDoUKK5YsPSJFahYnMI",
        "y": "n53WH6NMiZ2TPFBeFMqkWvzNvnx0cqbmOHnSLyCINHA",
    })
}

pub(crate) fn rsa_key() -> Value {
    json!({ "kty": "RSA", "kid": "rsa", "n": MODULUS, "e": "AQAB", "alg": "RS256" })
}

/// The claims of a token that holds for an hour.
pub(crate) fn claims(scope: &str) -> Value {
    let now = seconds();
    json!({ "iss": ISSUER, "sub": "ada", "aud": RESOURCE, "exp": now + 3600, "nbf": now - 5, "scope": scope, "tier": 3 })
}

pub(crate) fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock that goes forward").as_secs()
}

/// A token signed with the first key.
pub(crate) fn token(claims: &Value) -> String {
    signed(0, claims)
}

/// A token signed with one of the two keys.
pub(crate) fn signed(index: usize, claims: &Value) -> String {
    let key = EncodingKey::from_ed_der(&STANDARD.decode(PRIVATE[index]).expect("Base64"));
    encode(&header(Algorithm::EdDSA, Some(KIDS[index])), claims, &key).expect("a token")
}

pub(crate) fn signed_by_ec(claims: &Value) -> String {
    let key = EncodingKey::from_ec_der(&STANDARD.decode(EC).expect("Base64"));
    encode(&header(Algorithm::ES256, None), claims, &key).expect("a token")
}

pub(crate) fn signed_by_rsa(algorithm: Algorithm, claims: &Value) -> String {
    let key = EncodingKey::from_rsa_der(&STANDARD.decode(RSA).expect("Base64"));
    encode(&header(algorithm, Some("rsa")), claims, &key).expect("a token")
}

/// A token that takes the public key for a secret, as which everybody has it.
pub(crate) fn confused(claims: &Value) -> String {
    let key = EncodingKey::from_secret(&URL_SAFE_NO_PAD.decode(PUBLIC[0]).expect("Base64")).expect("a secret");
    encode(&header(Algorithm::HS256, Some(KIDS[0])), claims, &key).expect("a token")
}

/// A token that nobody signed.
pub(crate) fn unsigned(claims: &Value) -> String {
    let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}.", part(json!({ "alg": "none", "typ": "JWT", "kid": KIDS[0] })), part(claims.clone()))
}

fn header(algorithm: Algorithm, kid: Option<&str>) -> Header {
    let mut header = Header::new(algorithm);
    header.kid = kid.map(str::to_owned);
    header
}
