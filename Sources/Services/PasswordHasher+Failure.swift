import EventLoop
import Secrets
import Values

/// The hasher in the words of ``Failure``.
extension PasswordHasher {
  /// Keeps a place for one password, before an attempt is counted: an overload must not cost anybody an attempt.
  func place() throws(Failure) -> Crew.Place {
    do throws(Overloaded) { return try reserve() } catch { throw .overloaded }
  }

  /// The hash, or ``Failure/overloaded``.
  func hashed(_ password: Password, in place: Crew.Place? = nil) async throws(Failure) -> PasswordHash {
    do throws(Overloaded) { return try await hash(password, in: place) } catch { throw .overloaded }
  }

  /// Whether the password matches; never for a nil hash, which takes as long. Or ``Failure/overloaded``.
  func verified(
    _ password: PresentedPassword, _ hash: PasswordHash?, in place: Crew.Place
  ) async throws(Failure) -> Bool {
    do throws(Overloaded) {
      return try await verify(password, against: hash ?? decoy, in: place) && hash != nil
    } catch {
      throw .overloaded
    }
  }
}
