/** What other rooms use of mail. */
export { type Mailer, type MailMessage, type MailOutcome } from './mailer.ts'
