import type { SettingValues } from '../settings/door.ts'

/** The mail server of a configuration, read from its address. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (smtps); otherwise the connection is upgraded where the server offers it. */
  readonly isSecure: boolean
  readonly user: string | null
  readonly password: string | null
}

/** What the service sends mail with. */
export interface MailSettings {
  /** smtp:// or smtps://; read when it is used: it may be in a file that is replaced. */
  readonly url: string
  /** As an operator writes it: "svc <svc@example.com>" or an address alone. */
  readonly from: string
}

const ports: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }

const decode = (text: string): string | null => {
  try {
    return text === '' ? null : decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Reads smtp://user:password@host:port; null where it is something else. */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text)
  const port = url === null ? undefined : ports[url.protocol]
  if (url === null || port === undefined || url.hostname === '' || !/^\/?$/.test(url.pathname)) return null
  const user = decode(url.username)
  const password = decode(url.password)
  if ((url.username !== '' && user === null) || (url.password !== '' && password === null)) return null
  if ((user === null) !== (password === null)) return null
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? port : Number(url.port),
    isSecure: url.protocol === 'smtps:',
    user,
    password,
  }
}

/** Whether a text can be the sender of mail: an address, or a name before an address in angle brackets. */
export const isSender = (text: string): boolean =>
  /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text.trim())

/** The problems of the settings of mail. */
export function mailProblems(
  { 'mail.smtpUrl': url, 'mail.from': from }: Readonly<Record<string, unknown>>,
  nameOf: (key: 'mail.smtpUrl' | 'mail.from') => string,
): string[] {
  const problems: string[] = []
  const isUrl = typeof url === 'string' && url !== ''
  const isFrom = typeof from === 'string' && from !== ''
  // The text is not repeated: it may hold a password.
  if (isUrl && readSmtpUrl(url) === null)
    problems.push(
      `${nameOf('mail.smtpUrl')} must be smtp://user:password@host:port or smtps://…; special characters of the password are written as in any URL, such as %40 for @`,
    )
  if (isFrom && !isSender(from))
    problems.push(`${nameOf('mail.from')} must be an address such as "svc <svc@example.com>"`)
  if (isUrl && !isFrom) problems.push(`${nameOf('mail.smtpUrl')} needs SVC_MAIL_FROM, the sender of the e-mail`)
  return problems
}

/** The mail settings of a configuration; null where the service sends no e-mail. */
export function mailOf(values: SettingValues): MailSettings | null {
  const { 'mail.smtpUrl': url, 'mail.from': from } = values
  if (!url || !from) return null
  return {
    from,
    get url() {
      return values['mail.smtpUrl'] ?? url
    },
  }
}
