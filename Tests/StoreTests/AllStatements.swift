import Postgres
import Store

/// Every statement of the Store. A test finds one that is missing here.
let allStatements: [any Statement.Type] = [
  AttemptLogin.self, AttemptPassword.self, BeginSignUp.self, CheckUsername.self, DeleteTweet.self, EndSession.self, ListSessions.self,
  OpenSession.self, ReadAccount.self, ReadFeed.self, ReadSchemaVersion.self, ReadTweet.self, SignUp.self,
  TouchSession.self, WriteTweet.self,
]
