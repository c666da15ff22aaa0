public import Values

/// A letter to the owner of an account, in one language: its subject, and its body as plain text and as HTML.
///
/// Everything that comes from outside is escaped where it is put in, so that no username can add markup.
public struct Letter: Sendable {
  public let subject: String
  /// Lines end with a line feed.
  public let text: String
  public let html: String

  /// `link` is a whole URL. A letter whose kind has no use for it leaves it out.
  public init(_ kind: LetterKind, in language: Language, to username: String, link: String) {
    let words = kind.words(in: language, username: username)
    subject = words.subject
    var blocks: [Block] = [.paragraph(language.greeting(username)), .paragraph(words.opening)]
    if let action = words.action { blocks.append(.link(link, label: action)) }
    blocks += words.closing.map { .paragraph($0) }
    text = blocks.map(\.text).joined(separator: "\n\n") + "\n"
    html = Self.page(words.subject, blocks, language)
  }

  private enum Block {
    case paragraph(String)
    case link(String, label: String)

    var text: String {
      switch self {
      case .paragraph(let text): text
      case .link(let url, _): url
      }
    }

    var html: String {
      switch self {
      case .paragraph(let text): "<p>\(escaped(text))</p>"
      case .link(let url, let label):
        "<p><a href=\"\(escaped(url))\">\(escaped(label))</a></p>\n<p>\(escaped(url))</p>"
      }
    }
  }

  private static func page(_ title: String, _ blocks: [Block], _ language: Language) -> String {
    """
    <!doctype html>
    <html lang="\(language.rawValue)">
    <head><meta charset="utf-8"><title>\(escaped(title))</title></head>
    <body>
    \(blocks.map(\.html).joined(separator: "\n"))
    </body>
    </html>

    """
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
