extension Username {
  /// Names nobody may take, because they could pass for the operator, for a machine or for a page of the site.
  /// Matched on the folded form.
  public static let reserved: Set<String> = Set(operators + machines + routes + pages + placeholders)

  private static let operators = [
    "abuse", "admin", "administrator", "billing", "compliance", "contact", "feedback", "hostmaster", "info", "legal",
    "moderation", "moderator", "mods", "news", "noc", "official", "operator", "owner", "postmaster", "press",
    "privacy", "roost", "roost_team", "roost.team", "security", "staff", "superuser", "support", "sysadmin", "system",
    "team", "trust", "verified", "webmaster",
  ]

  private static let machines = [
    "anonymous", "bot", "daemon", "localhost", "mailer_daemon", "no_reply", "no.reply", "nobody", "noreply",
    "postgres", "robot", "root", "service", "www",
  ]

  private static let routes = [
    "api", "auth", "avatar", "avatars", "explore", "export", "favicon.ico", "feed", "followers", "following", "healthz",
    "login", "logout", "metrics", "oauth", "openapi.json", "password", "readyz", "register", "robots.txt", "session",
    "sessions", "signin", "signout", "signup", "tweet", "tweets", "user", "username", "usernames", "users",
    "well_known",
  ]

  private static let pages = [
    "about", "account", "accounts", "app", "assets", "blog", "careers", "contact_us", "cookies", "dashboard", "docs",
    "download", "downloads", "faq", "guidelines", "help", "home", "index", "index.html", "jobs", "license",
    "messages", "notifications", "onboarding", "policy", "pricing", "profile", "reset", "rules", "search", "settings",
    "share", "sitemap.xml", "static", "status", "terms", "tos", "verify", "welcome",
  ]

  private static let placeholders = [
    "all", "deleted", "everybody", "everyone", "guest", "here", "nil", "none", "null", "self", "somebody", "someone",
    "undefined", "unknown", "you",
  ]
}
