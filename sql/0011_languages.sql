-- Every account has a language that is known: what 0003 has left unproven for those who had signed up before it.

-- Reads all accounts, beside others that read and write them.
alter table account validate constraint account_language_known;
