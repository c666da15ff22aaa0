"""What a database with {n} accounts holds, by table, in an order in which they can be filled."""

# An id whose time is that of the n-th of so many seconds, so that the n-th row is found by its number.
ID = "(lpad(to_hex(1700000000000 + {of}), 12, '0') || '7000800000000000{kind}')::uuid"


def of(number, kind):
    return ID.replace("{of}", number).replace("{kind}", kind)


ROWS = {
    "account": f"""
        insert into account (id, username, email, full_name)
        select {of("n", "0001")}, 'name' || n, 'name' || n || '@example.com', 'Somebody ' || n
        from generate_series(1, {{n}}) as n""",
    "credential": """
        insert into credential (account_id, password_hash)
        select id, '$argon2id$v=19$m=19456,t=2,p=1$' || repeat('x', 66) from account""",
    "session": f"""
        insert into session (id, account_id, token_digest, epoch, ip, user_agent, expires_at)
        select {of("n", "0002")}, {of("n", "0001")}, sha256(('token' || n)::bytea), 1, '192.0.2.1', 'Safari',
               now() + interval '30 days' from generate_series(1, {{n}}) as n""",
    "throttle": """
        insert into throttle (rule, subject, used, resets_at)
        select 'login_address', 'address' || n, 1, now() + interval '1 hour' from generate_series(1, {n} / 10) as n""",
    "tweet": f"""
        insert into tweet (id, author_id, text, created_at)
        select {of("n", "0003")}, {of("1 + n % {n}", "0001")}, 'A tweet of some length, number ' || n, now()
        from generate_series(1, {{n}}) as n""",
    "tweet_like": f"""
        insert into tweet_like (tweet_id, account_id)
        select {of("1 + (n + k * 7) % {n}", "0003")}, {of("n", "0001")}
        from generate_series(1, {{n}}) as n, generate_series(1, 3) as k""",
    "audit_event": f"""
        insert into audit_event (id, account_id, kind, ip)
        select {of("n", "0004")}, {of("n", "0001")}, 'logged_in', '192.0.2.1' from generate_series(1, {{n}}) as n""",
    "link": f"""
        insert into link (token_digest, account_id, purpose, email, epoch, expires_at)
        select sha256(('link' || n)::bytea), {of("n", "0001")}, 'email_verification', 'name' || n || '@example.com', 1,
               now() + interval '1 day' from generate_series(1, {{n}} / 5) as n""",
    "outbox": f"""
        insert into outbox (id, account_id, recipient, kind, language, username, sent_at)
        select {of("n", "0005")}, {of("n", "0001")}, 'name' || n || '@example.com', 'email_verification', 'en',
               'name' || n, now() from generate_series(1, {{n}}) as n""",
    "avatar": f"""
        insert into avatar (account_id, sha256, jpeg)
        select {of("n", "0001")}, sha256(('photo' || n)::bytea), decode(repeat('ff', 2000), 'hex')
        from generate_series(1, {{n}} / 20) as n""",
    "follow": f"""
        insert into follow (id, follower_id, followee_id)
        select {of("n * 2 + k", "0006")}, {of("n", "0001")}, {of("1 + (n + k * 11) % {n}", "0001")}
        from generate_series(1, {{n}}) as n, generate_series(1, 2) as k""",
}
