import Secrets

/// One of the files that the web client's document loads.
struct WebFile: Sendable {
  /// Below the folder of the files, `parts/tweet.js`.
  let path: String
  let bytes: [UInt8]
  let tag: EntityTag

  init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    tag = EntityTag(SHA256Digest.of(bytes))
  }

  var isScript: Bool { path.hasSuffix(".js") }

  var mediaType: String {
    if isScript { return "text/javascript; charset=utf-8" }
    return path.hasSuffix(".css") ? "text/css; charset=utf-8" : "image/svg+xml"
  }

  /// All of them; `Package.swift` puts them into the binary.
  static let all: [WebFile] = [
    WebFile("api.js", PackageResources.api_js),
    WebFile("dom.js", PackageResources.dom_js),
    WebFile("frame.js", PackageResources.frame_js),
    WebFile("icon.svg", PackageResources.icon_svg),
    WebFile("live.js", PackageResources.live_js),
    WebFile("main.js", PackageResources.main_js),
    WebFile("router.js", PackageResources.router_js),
    WebFile("session.js", PackageResources.session_js),
    WebFile("words.js", PackageResources.words_js),
    WebFile("parts/avatar.js", PackageResources.avatar_js),
    WebFile("parts/checks.js", PackageResources.checks_js),
    WebFile("parts/composer.js", PackageResources.composer_js),
    WebFile("parts/dialog.js", PackageResources.dialog_js),
    WebFile("parts/fields.js", PackageResources.fields_js),
    WebFile("parts/form.js", PackageResources.form_js),
    WebFile("parts/language.js", PackageResources.language_js),
    WebFile("parts/list.js", PackageResources.list_js),
    WebFile("parts/notices.js", PackageResources.notices_js),
    WebFile("parts/person.js", PackageResources.person_js),
    WebFile("parts/photo-choice.js", PackageResources.photo_choice_js),
    WebFile("parts/timeline.js", PackageResources.timeline_js),
    WebFile("parts/tweet.js", PackageResources.tweet_js),
    WebFile("screens/explore.js", PackageResources.explore_js),
    WebFile("screens/home.js", PackageResources.home_js),
    WebFile("screens/login.js", PackageResources.login_js),
    WebFile("screens/mailed.js", PackageResources.mailed_js),
    WebFile("screens/onboarding.js", PackageResources.onboarding_js),
    WebFile("screens/people.js", PackageResources.people_js),
    WebFile("screens/photo.js", PackageResources.photo_js),
    WebFile("screens/privacy.js", PackageResources.privacy_js),
    WebFile("screens/profile.js", PackageResources.profile_js),
    WebFile("screens/register.js", PackageResources.register_js),
    WebFile("screens/remind.js", PackageResources.remind_js),
    WebFile("screens/reset.js", PackageResources.reset_js),
    WebFile("screens/settings-forms.js", PackageResources.settings_forms_js),
    WebFile("screens/settings-sessions.js", PackageResources.settings_sessions_js),
    WebFile("screens/settings.js", PackageResources.settings_js),
    WebFile("screens/terms.js", PackageResources.terms_js),
    WebFile("screens/verify.js", PackageResources.verify_js),
    WebFile("style/feed.css", PackageResources.feed_css),
    WebFile("style/forms.css", PackageResources.forms_css),
    WebFile("style/frame.css", PackageResources.frame_css),
    WebFile("style/screens.css", PackageResources.screens_css),
    WebFile("style/theme.css", PackageResources.theme_css),
    WebFile("words/english.js", PackageResources.english_js),
    WebFile("words/korean.js", PackageResources.korean_js),
  ]
}
