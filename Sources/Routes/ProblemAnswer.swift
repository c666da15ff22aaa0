import HTTP
import RoostAPI

/// An answer that says what went wrong, in the form of RFC 9457.
struct ProblemAnswer {
  let code: ProblemCode
  let detail: String
  let headers: [(name: String, value: String)]
  let errors: [(field: String, code: FieldErrorCode, message: String)]

  init(
    _ code: ProblemCode, _ detail: String, headers: [(name: String, value: String)] = [],
    errors: [(field: String, code: FieldErrorCode, message: String)] = []
  ) {
    self.code = code
    self.detail = detail
    self.headers = headers
    self.errors = errors
  }

  func response(requestID: String) -> Response {
    var json = JSONWriter()
    json.object { json in
      json.field("type", "about:blank")
      json.field("title", code.title)
      json.field("status", code.status)
      json.field("code", code.rawValue)
      json.field("detail", detail)
      json.field("requestId", requestID)
      guard !errors.isEmpty else { return }
      json.array("errors") { json in
        for error in errors {
          json.object { json in
            json.field("field", error.field)
            json.field("code", error.code.rawValue)
            json.field("message", error.message)
          }
        }
      }
    }
    return Response(
      status: code.status, contentType: "application/problem+json",
      headers: headers + [("Cache-Control", "no-store")], body: json.bytes)
  }
}
