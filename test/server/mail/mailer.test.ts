/** Sending mail: against mail servers on loopback that encrypt, refuse, answer later, or hang. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { createMailer, outcomeOf, requiresEncryption, type MailMessage } from '../../../server/mail/mailer.ts'
import { isSender, mailProblems, readSmtpUrl } from '../../../server/mail/settings.ts'
import { startMailServer, type MailServer } from '../../fixtures/mail-server.ts'
import { trustSinks } from '../../fixtures/sink.ts'

const from = 'svc <svc@example.com>'
const message: MailMessage = {
  to: { name: 'Ann Lee', address: 'ann@example.com' },
  subject: 'Pets 1.0.0 was published – größer',
  text: 'Pets 1.0.0 was published\n',
  html: '<p>Pets 1.0.0 was published</p>',
  messageId: 'b1.t1@svc.test',
  headers: { 'List-Unsubscribe': '<https://svc.test/v1/e-mail/t1>' },
}
const never = new AbortController().signal
const login = { user: 'svc@relay', password: 'p@ss/word' }
const account = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}`

let trusted: ReturnType<typeof trustSinks>
beforeAll(() => {
  trusted = trustSinks()
})
afterAll(() => trusted.end())

async function against<T>(
  options: Parameters<typeof startMailServer>[0],
  work: (server: MailServer) => Promise<T>,
): Promise<T> {
  const server = await startMailServer(options)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

const sendTo = (url: string, deadlineMs?: number) => createMailer({ url, from }, deadlineMs).send(message, never)

test('a plain server gets the message with its headers, once', async () => {
  await against({}, async ({ port, received }) => {
    expect(await sendTo(`smtp://127.0.0.1:${port}`)).toEqual({ kind: 'sent' })
    const [mail, ...others] = received
    expect(others).toEqual([])
    expect(mail?.to).toEqual(['ann@example.com'])
    expect([mail?.isEncrypted, mail?.user]).toEqual([false, null])
    expect(mail?.headers).toMatchObject({
      from,
      to: 'Ann Lee <ann@example.com>',
      subject: message.subject,
      'message-id': '<b1.t1@svc.test>',
      'list-unsubscribe': '<https://svc.test/v1/e-mail/t1>',
    })
    expect(mail?.text).toContain(message.text)
    expect(mail?.text).toContain(message.html)
  })
})

test('STARTTLS and TLS from the start encrypt, and the user signs in', async () => {
  for (const [tls, scheme] of [
    ['starttls', 'smtp'],
    ['smtps', 'smtps'],
  ] as const)
    await against({ tls, login }, async ({ port, received }) => {
      const url = `${scheme}://${account}@localhost:${port}`
      expect(await createMailer({ url, from }).verify(never)).toEqual({ kind: 'sent' })
      expect(received).toEqual([])
      expect(await sendTo(url)).toEqual({ kind: 'sent' })
      expect(received.map(({ isEncrypted, user }) => [isEncrypted, user])).toEqual([[true, login.user]])
    })
})

test('a certificate that is not trusted, and a wrong password, are said', async () => {
  await against({ tls: 'starttls', login }, async ({ port }) => {
    const wrong = `smtp://${encodeURIComponent(login.user)}:wrong@localhost:${port}`
    expect(await sendTo(wrong)).toEqual({
      kind: 'failed',
      reason: 'the mail server does not accept the user and password of this service',
    })
    trusted.end()
    const outcome = await sendTo(`smtp://${account}@localhost:${port}`)
    trusted = trustSinks()
    expect(outcome.kind).toBe('failed')
    expect('reason' in outcome ? outcome.reason : '').toStartWith('the certificate of the mail server is not trusted')
  })
})

test('what a server answers to the recipient and to the message decides whether another attempt is made', async () => {
  const refused = { code: 550, text: '5.1.1 No such user here' }
  await against({ onRecipient: () => refused }, async ({ port }) => {
    expect(await sendTo(`smtp://127.0.0.1:${port}`)).toEqual({
      kind: 'refused-address',
      reason: 'the mail server refuses the address: 550 5.1.1 No such user here',
    })
  })
  await against({ onRecipient: () => ({ code: 450, text: '4.2.0 Greylisted' }) }, async ({ port }) => {
    expect(await sendTo(`smtp://127.0.0.1:${port}`)).toEqual({
      kind: 'failed',
      reason: 'the mail server answered: 450 4.2.0 Greylisted',
    })
  })
  const answers = [{ code: 451, text: '4.3.0 Try again' }, { code: 554, text: '5.7.1 Looks like spam' }, null]
  await against({ onMessage: (count) => answers[count - 1] ?? null }, async ({ port, received }) => {
    const url = `smtp://127.0.0.1:${port}`
    const outcomes = [await sendTo(url), await sendTo(url), await sendTo(url)]
    expect(outcomes).toEqual([
      { kind: 'failed', reason: 'the mail server answered: 451 4.3.0 Try again' },
      { kind: 'refused-message', reason: 'the mail server refuses the message: 554 5.7.1 Looks like spam' },
      { kind: 'sent' },
    ])
    expect(received).toHaveLength(1)
  })
})

test('a server that hangs is left at the deadline, and one that is not there at once', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const begin = performance.now()
  expect(await sendTo(`smtp://127.0.0.1:${port}`, 300)).toEqual({
    kind: 'failed',
    reason: 'the mail server did not answer in time',
  })
  expect(performance.now() - begin).toBeLessThan(3000)
  await new Promise<void>((resolve) => silent.close(() => resolve()))
  expect(await sendTo(`smtp://127.0.0.1:${port}`)).toEqual({
    kind: 'failed',
    reason: 'nothing listens at the address of the mail server',
  })
  const outcome = await sendTo('smtp://mail.invalid')
  expect(outcome).toEqual({ kind: 'failed', reason: 'the name of the mail server cannot be resolved' })
})

test('a password is not sent unencrypted to another machine', () => {
  const requires = (url: string): boolean => {
    const server = readSmtpUrl(url)
    return server !== null && requiresEncryption(server)
  }
  const urls = [
    'smtp://u:p@mail.example.com',
    'smtp://u:p@10.0.0.5',
    'smtp://u:p@127.0.0.1',
    'smtp://mail.example.com',
    'smtps://u:p@a.b',
  ]
  expect(urls.map(requires)).toEqual([true, true, false, false, false])
  expect(outcomeOf({ code: 'ETLS', message: 'STARTTLS is not supported' })).toEqual({
    kind: 'failed',
    reason: 'the connection to the mail server cannot be encrypted',
  })
})

test('addresses of servers and senders', () => {
  const plain = { user: null, password: null }
  expect(readSmtpUrl('smtp://mail.example.com')).toEqual({
    host: 'mail.example.com',
    port: 587,
    isSecure: false,
    ...plain,
  })
  expect(readSmtpUrl('smtps://[::1]:4650/')).toEqual({ host: '::1', port: 4650, isSecure: true, ...plain })
  expect(readSmtpUrl(`smtp://${account}@10.0.0.5:25`)).toEqual({
    host: '10.0.0.5',
    port: 25,
    isSecure: false,
    user: login.user,
    password: login.password,
  })
  for (const wrong of [
    '',
    'mail.example.com',
    'https://a.b',
    'smtp://',
    'smtp://a.b/path',
    'smtp://user@a.b',
    'smtp://u:%zz@a.b',
  ])
    expect([wrong, readSmtpUrl(wrong)]).toEqual([wrong, null])
  expect(['svc@a.b', 'svc <svc@a.b>', 'svc', 'a b@c', 'x <y>', 'a@b\r\nbcc: c@d'].map(isSender)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  const problems = (url: string | null, sender: string | null) =>
    mailProblems({ 'mail.smtpUrl': url, 'mail.from': sender }, (key) => key).length
  expect([
    problems(null, null),
    problems('smtp://a.b', 'a@b'),
    problems('smtp://a.b', null),
    problems('x', 'y'),
  ]).toEqual([0, 0, 1, 2])
})
