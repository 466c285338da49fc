import { rootCertificates } from 'node:tls'
import type { Transporter } from 'nodemailer'
import { SvcError } from '../../src/errors.ts'
import { trustedAuthorities } from '../egress/door.ts'
import { type MailSettings, readSmtpUrl, type SmtpServer } from './settings.ts'

/** One message to one address. */
export interface MailMessage {
  readonly to: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Without angle brackets. The same for every attempt, so that a mailbox can tell a repetition. */
  readonly messageId: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * What came of an attempt; reasons end a sentence.
 * - `sent`: the server took the message.
 * - `refused-address`: the server will never take mail for this address.
 * - `refused-message`: the server will never take this message.
 * - `failed`: it may work later.
 */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused-address' | 'refused-message' | 'failed'; readonly reason: string }

/** Sends mail for the whole service. */
export interface Mailer {
  /** The sender, as the operator wrote it. */
  readonly from: string
  /** Sends a message within the deadline; what the server does is an outcome. */
  send(message: MailMessage, signal: AbortSignal): Promise<MailOutcome>
  /** Connects and signs in without sending anything. */
  verify(signal: AbortSignal): Promise<MailOutcome>
}

/** How long one attempt may take, from the name of the server to its last answer. */
export const mailDeadlineMs = 30_000
/** How long a server may take for one step of it. */
const maxStepMs = 10_000
const longestAnswer = 200

/** Whether nothing may be sent unencrypted: a password travels encrypted, except to this machine. */
export const requiresEncryption = ({ host, isSecure, user }: SmtpServer): boolean =>
  !isSecure && user !== null && !isLoopback(host)

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

interface SmtpFailure {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
  readonly message: string
}

const printable = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, ' ')
    .trim()
    .slice(0, longestAnswer)

const connectionReasons: Readonly<Record<string, string>> = {
  EDNS: 'the name of the mail server cannot be resolved',
  ENOTFOUND: 'the name of the mail server cannot be resolved',
  ETIMEDOUT: 'the mail server did not answer in time',
  ECONNECTION: 'the mail server cannot be reached',
  ECONNREFUSED: 'nothing listens at the address of the mail server',
  ETLS: 'the connection to the mail server cannot be encrypted',
  EAUTH: 'the mail server does not accept the user and password of this service',
}

/** What a failure of an attempt means. Only the answers to the recipient and to the message are about them. */
export function outcomeOf(failure: SmtpFailure): MailOutcome {
  const { code = '', command = '', responseCode, response = '' } = failure
  const isFinal = responseCode !== undefined && responseCode >= 500
  const answer = printable(response)
  if (isFinal && command.startsWith('RCPT TO'))
    return { kind: 'refused-address', reason: `the mail server refuses the address: ${answer}` }
  if (isFinal && command === 'DATA')
    return { kind: 'refused-message', reason: `the mail server refuses the message: ${answer}` }
  // Errors of sockets have their own code in the message.
  const inner = Object.keys(connectionReasons).find((name) => failure.message.includes(name))
  const known = connectionReasons[code] ?? connectionReasons[inner ?? '']
  if (known !== undefined && (answer === '' || code === 'EAUTH')) return { kind: 'failed', reason: known }
  if (answer !== '') return { kind: 'failed', reason: `the mail server answered: ${answer}` }
  const isTls = /certificate|self.signed|TLS|SSL/i.test(failure.message)
  return {
    kind: 'failed',
    reason: isTls
      ? `the certificate of the mail server is not trusted (${printable(failure.message)})`
      : 'the connection to the mail server broke',
  }
}

const optionsOf = (server: SmtpServer, authorities: readonly string[], stepMs: number) => ({
  host: server.host,
  port: server.port,
  secure: server.isSecure,
  requireTLS: requiresEncryption(server),
  connectionTimeout: stepMs,
  greetingTimeout: stepMs,
  socketTimeout: stepMs,
  dnsTimeout: stepMs,
  ...(server.user === null || server.password === null ? {} : { auth: { user: server.user, pass: server.password } }),
  ...(authorities.length === 0 ? {} : { tls: { ca: [...rootCertificates, ...authorities] } }),
  disableFileAccess: true,
  disableUrlAccess: true,
})

/**
 * Makes the mailer of a configuration. The operator named the server, so it may be in a private network. Each message has a connection of its
 * own: a server that hangs holds up no other message.
 * @throws SvcError `config-invalid` where the address of the server cannot be read
 */
export function createMailer(settings: MailSettings, deadlineMs = mailDeadlineMs): Mailer {
  const attempt = async (
    signal: AbortSignal,
    work: (transport: Transporter) => Promise<unknown>,
  ): Promise<MailOutcome> => {
    const server = readSmtpUrl(settings.url)
    if (server === null) throw new SvcError('config-invalid', { problems: ['SVC_SMTP_URL cannot be read'] })
    // Loaded with the first message: a command that sends none starts faster.
    const { createTransport } = await import('nodemailer')
    const transport: Transporter = createTransport(
      optionsOf(server, await trustedAuthorities(), Math.min(maxStepMs, deadlineMs)),
    )
    const late = Promise.withResolvers<never>()
    const within = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
    const onLate = (): void => late.reject(Object.assign(new Error('too late'), { code: 'ETIMEDOUT' }))
    within.addEventListener('abort', onLate, { once: true })
    try {
      within.throwIfAborted()
      await Promise.race([work(transport), late.promise])
      return { kind: 'sent' }
    } catch (error) {
      if (within.aborted) return { kind: 'failed', reason: connectionReasons['ETIMEDOUT'] ?? '' }
      return outcomeOf(error as SmtpFailure)
    } finally {
      within.removeEventListener('abort', onLate)
      transport.close()
    }
  }
  return {
    from: settings.from,
    send: ({ to, messageId, ...message }, signal) =>
      attempt(signal, (transport) =>
        transport.sendMail({
          ...message,
          to,
          from: settings.from,
          messageId: `<${messageId}>`,
          headers: { ...message.headers },
        }),
      ),
    verify: (signal) => attempt(signal, (transport) => transport.verify()),
  }
}
