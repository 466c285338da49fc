/** The settings of e-mail. */
export const mailSettings = {
  'mail.smtpUrl': {
    type: 'text',
    env: 'SVC_SMTP_URL',
    default: null,
    secret: 'password',
    replacedFrom: 'with the next e-mail',
    summary:
      'mail server that sends news: smtp://user:password@host:port, encrypted by STARTTLS where the server offers it and always with a password, or smtps://… for TLS from the start; the service sends no e-mail without it',
  },
  'mail.from': {
    type: 'text',
    env: 'SVC_MAIL_FROM',
    default: null,
    summary: 'sender of the e-mail, such as "svc <svc@example.com>"; SVC_SMTP_URL needs it',
  },
} as const
