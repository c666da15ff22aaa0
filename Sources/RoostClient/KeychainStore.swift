#if canImport(Security)
  import Foundation
  import RoostAPI
  import Security

  /// Keeps the session in the Keychain: readable from the first unlock after a start of the device on, also in the
  /// background, and on this device alone; it is in no backup that another device can read.
  ///
  /// The Keychain survives the deletion of an app. With an access group, an app and its extensions share the session.
  public struct KeychainStore: SessionStore {
    /// Under which name it lies there.
    public let service: String
    /// The group of apps and extensions that share it; nil for the app alone.
    public let accessGroup: String?

    private static let account = "session"

    /// By default `service` is made of the app's bundle identifier.
    public init(service: String? = nil, accessGroup: String? = nil) {
      self.service = service ?? "\(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName).roost"
      self.accessGroup = accessGroup
    }

    public func load() throws(SessionStoreError) -> StoredSession? {
      var query = item
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      switch status {
      case errSecSuccess:
        // An entry of a later version, or one that is damaged, is no session; the next log-in replaces it.
        guard let data = found as? Data else { return nil }
        return try? JSONDecoder.roost.decode(StoredSession.self, from: data)
      case errSecItemNotFound: return nil
      default: throw Self.error(status)
      }
    }

    public func save(_ session: StoredSession) throws(SessionStoreError) {
      let data: Data
      do { data = try JSONEncoder.roost.encode(session) } catch { throw .failed("the session is no JSON") }
      let value: [String: Any] = [
        kSecValueData as String: data,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      // Updating first: between a deletion and an addition the session would be nowhere.
      var status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
      if status == errSecItemNotFound {
        status = SecItemAdd(item.merging(value) { $1 } as CFDictionary, nil)
      }
      guard status == errSecSuccess else { throw Self.error(status) }
    }

    public func clear() throws(SessionStoreError) {
      let status = SecItemDelete(item as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { throw Self.error(status) }
    }

    private var item: [String: Any] {
      var item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: Self.account,
        // On a Mac too: the old file-based keychain asks people for their password.
        kSecUseDataProtectionKeychain as String: true,
      ]
      if let accessGroup { item[kSecAttrAccessGroup as String] = accessGroup }
      return item
    }

    private static func error(_ status: OSStatus) -> SessionStoreError {
      // Before the first unlock, and where nobody can be asked.
      if status == errSecInteractionNotAllowed || status == errSecNotAvailable { return .locked }
      let text = SecCopyErrorMessageString(status, nil) as String?
      return .failed("Keychain \(status): \(text ?? "no message")")
    }
  }

  extension SessionStore where Self == KeychainStore {
    /// The app's own entry of the Keychain.
    public static var keychain: KeychainStore { KeychainStore() }

    /// An entry that the apps and extensions of an access group share.
    public static func keychain(accessGroup: String) -> KeychainStore { KeychainStore(accessGroup: accessGroup) }
  }
#endif
