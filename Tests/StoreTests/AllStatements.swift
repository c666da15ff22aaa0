import Postgres
import Store

/// Every statement of the Store, one a line, by name. A test finds one that is missing here.
let allStatements: [any Statement.Type] = [
  AttemptLogin.self,
  AttemptPassword.self,
  BeginAvatar.self, BeginSignUp.self,
  ChangeProfile.self,
  CheckUsername.self,
  ConfirmEmail.self,
  DeleteTweet.self,
  EndOneSession.self,
  EndOtherSessions.self,
  EndSession.self,
  GiveUpLetters.self,
  LeaseLetters.self,
  ListSessions.self,
  OpenSession.self,
  ReadAccount.self, ReadAvatar.self,
  ReadFeed.self,
  ReadPasswordReset.self,
  ReadSchemaVersion.self,
  ReadTweet.self,
  RemindUsername.self, RemoveAvatar.self, ReplaceAvatar.self,
  RequestEmailChange.self,
  RequestEmailVerification.self,
  RequestPasswordReset.self,
  ResetPassword.self,
  SettleLetter.self,
  SignUp.self,
  TouchSession.self,
  WriteTweet.self,
]
