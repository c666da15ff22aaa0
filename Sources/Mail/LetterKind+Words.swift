import Values

/// What a letter says, apart from its greeting and its link.
struct LetterWords {
  let subject: String
  let opening: String
  /// What the link is called; nil for a letter without one.
  let action: String?
  let closing: [String]
}

extension Language {
  func greeting(_ username: String) -> String {
    switch self {
    case .english: "Hello \(username),"
    case .korean: "\(username) 님, 안녕하세요."
    }
  }
}

extension LetterKind {
  func words(in language: Language, username: String) -> LetterWords {
    switch language {
    case .english: english(username)
    case .korean: korean(username)
    }
  }

  private func english(_ username: String) -> LetterWords {
    switch self {
    case .passwordReset:
      LetterWords(
        subject: "Choose a new password for Roost",
        opening: "Somebody asked for a new password for your account. Open this link within an hour to choose one:",
        action: "Choose a new password",
        closing: ["The link works once. If it was not you, do nothing: your password stays as it is."])
    case .passwordChanged:
      LetterWords(
        subject: "Your Roost password was changed",
        opening: "The password of your account has just been changed, and other devices have been signed out.",
        action: "This was not me",
        closing: [Self.notYou])
    case .emailVerification:
      LetterWords(
        subject: "Confirm your email address for Roost",
        opening: "Open this link within a day to confirm that this address is yours:",
        action: "Confirm the address",
        closing: ["If you have no account at Roost, do nothing."])
    case .emailChange:
      LetterWords(
        subject: "Confirm your new email address for Roost",
        opening: "Open this link within a day to make this the address of your account:",
        action: "Confirm the new address",
        closing: ["If you did not ask for it, do nothing: the account keeps its address."])
    case .emailChangeNotice:
      LetterWords(
        subject: "Your email address at Roost is about to change",
        opening:
          "Somebody who knows your password asked to give your account another email address. It changes as soon as "
          + "that address is confirmed.",
        action: "This was not me",
        closing: [Self.notYou])
    case .usernameReminder:
      LetterWords(
        subject: "Your username at Roost",
        opening: "Somebody asked for the username of your account. It is: \(username)",
        action: nil,
        closing: ["If it was not you, do nothing: nobody but you has been told."])
    }
  }

  private static let notYou =
    "If it was you, there is nothing to do. If it was not, open the link and choose a new password at once."

  private func korean(_ username: String) -> LetterWords {
    switch self {
    case .passwordReset:
      LetterWords(
        subject: "Roost 비밀번호 재설정",
        opening: "회원님 계정의 비밀번호 재설정 요청을 받았습니다. 한 시간 안에 아래 링크를 열어 새 비밀번호를 정해 주세요.",
        action: "새 비밀번호 정하기",
        closing: ["링크는 한 번만 쓸 수 있습니다. 직접 요청하지 않았다면 이 메일을 무시하세요. 비밀번호는 그대로 유지됩니다."])
    case .passwordChanged:
      LetterWords(
        subject: "Roost 비밀번호가 변경되었습니다",
        opening: "회원님 계정의 비밀번호가 방금 변경되었고, 다른 기기에서는 로그아웃되었습니다.",
        action: "제가 한 일이 아닙니다",
        closing: ["직접 변경했다면 아무것도 하지 않아도 됩니다. 그렇지 않다면 지금 링크를 열어 새 비밀번호를 정해 주세요."])
    case .emailVerification:
      LetterWords(
        subject: "Roost 이메일 주소 확인",
        opening: "하루 안에 아래 링크를 열어 이 주소가 회원님의 것임을 확인해 주세요.",
        action: "주소 확인하기",
        closing: ["Roost에 가입한 적이 없다면 이 메일을 무시하세요."])
    case .emailChange:
      LetterWords(
        subject: "Roost 새 이메일 주소 확인",
        opening: "하루 안에 아래 링크를 열면 이 주소가 회원님 계정의 주소가 됩니다.",
        action: "새 주소 확인하기",
        closing: ["직접 요청하지 않았다면 이 메일을 무시하세요. 계정의 주소는 그대로 유지됩니다."])
    case .emailChangeNotice:
      LetterWords(
        subject: "Roost 이메일 주소가 곧 변경됩니다",
        opening: "회원님의 비밀번호를 아는 사람이 계정의 이메일 주소 변경을 요청했습니다. 새 주소가 확인되는 대로 변경됩니다.",
        action: "제가 한 일이 아닙니다",
        closing: ["직접 요청했다면 아무것도 하지 않아도 됩니다. 그렇지 않다면 지금 링크를 열어 새 비밀번호를 정해 주세요."])
    case .usernameReminder:
      LetterWords(
        subject: "Roost 사용자 이름 안내",
        opening: "회원님 계정의 사용자 이름 안내 요청을 받았습니다. 사용자 이름은 \(username) 입니다.",
        action: nil,
        closing: ["직접 요청하지 않았다면 이 메일을 무시하세요. 다른 사람에게는 알리지 않았습니다."])
    }
  }
}
