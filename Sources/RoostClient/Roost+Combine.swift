#if canImport(Combine)
  public import Combine
  public import RoostAPI

  extension Roost {
    /// ``users`` for Combine: a subscriber gets the present value at once, if it is known, and then every change, on a
    /// queue of Roost's own.
    ///
    /// ```swift
    /// roost.usersPublisher.receive(on: DispatchQueue.main).sink { [weak self] user in
    ///   self?.window?.rootViewController = user == nil ? WelcomeController() : HomeController()
    /// }
    /// ```
    public var usersPublisher: AnyPublisher<Account?, Never> {
      presence.subject.compactMap { $0 }.eraseToAnyPublisher()
    }
  }
#endif
