import Postgres
import Store

/// Every statement of the Store, one a line, by name. A test finds one that is missing here.
let allStatements: [any Statement.Type] = [
  AttemptLogin.self,
  AttemptPassword.self,
  BeginSignUp.self,
  ChangeProfile.self,
  CheckUsername.self,
  DeleteTweet.self,
  EndOneSession.self,
  EndOtherSessions.self,
  EndSession.self,
  ListSessions.self,
  OpenSession.self,
  ReadAccount.self,
  ReadFeed.self,
  ReadSchemaVersion.self,
  ReadTweet.self,
  SignUp.self,
  TouchSession.self,
  WriteTweet.self,
]
