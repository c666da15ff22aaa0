import RoostAPI
import TestSupport
import Testing

/// What happens to accounts stands in `audit_event`.
@Suite(.onThreads) struct AuditTests {
  @Test func `what people do is noted with its address, and nothing that they typed`() throws {
    let nodes = try Nodes(1, settings: ["TRUSTED_PROXIES": "127.0.0.0/8"])
    let person = Person()
    try nodes.visitor(at: "203.0.113.1").register(person).expect(201)
    let ada = try nodes.visitor(at: "203.0.113.7").loggedIn(person)
    try ada.logIn(person.username, "planted-secret").problem(.wrongCredentials)
    try ada.logIn("planted_name", "planted-secret").problem(.wrongCredentials)
    try ada.logIn(person.username, String(repeating: "planted", count: 200)).problem(.wrongCredentials)
    try ada.patch(ProfileChange(bio: .becomes("planted-bio"))).expect(200)
    try ada.signOut().expect(204)
    try ada.signOut().expect(204)
    let events = try nodes.database.rows(
      """
      select kind, host(ip), coalesce(detail, '-'), coalesce(username, '-') from audit_event
      left join account on account.id = account_id order by audit_event.id
      """
    ).map { row in row.map { $0 ?? "null" }.joined(separator: " ") }
    let here = "203.0.113.7"
    #expect(
      events.filter { !$0.hasPrefix("signed_up") } == [
        "logged_in \(here) - \(person.username)", "log_in_failed \(here) - \(person.username)",
        "log_in_failed \(here) - -", "log_in_failed \(here) - \(person.username)",
        "profile_changed \(here) bio \(person.username)", "signed_out \(here) - \(person.username)",
      ])
    #expect(
      try nodes.database.value("select count(*) from audit_event where audit_event::text like '%planted%'") == "0")
  }
}
