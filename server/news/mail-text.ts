/** How news are written as e-mail: a plain text, and the same as simple HTML. */
import { escapeHtml } from '../web/door.ts'
import type { Line } from './chat.ts'

/** News of one project, or of none. */
export interface MailGroup {
  readonly name: string
  readonly lines: readonly Line[]
}

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const maxSubject = 150

const singleLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

function subjectOf(groups: readonly MailGroup[], more: number, organization: string): string {
  const lines = groups.flatMap((group) => group.lines)
  const [first] = lines
  const count = lines.length + more
  const single = count === 1 ? (first?.title ?? '') : ''
  const names = groups.map(({ name }) => name).join(', ')
  const subject = singleLine(single === '' ? `${count} news of ${organization}: ${names}` : single)
  return subject.length > maxSubject ? `${subject.slice(0, maxSubject)} …` : subject
}

/**
 * Writes the e-mail of some news, grouped by project.
 * @param more how many more wait in the application
 * @param links where to choose what is sent, and where to stop it
 */
export function mailText(
  groups: readonly MailGroup[],
  more: number,
  organization: string,
  links: { readonly all: string; readonly choose: string; readonly stop: string },
): MailText {
  const rest = more === 0 ? '' : `… and ${more} more: ${links.all}\n\n`
  const why = `You get this e-mail because you chose so in svc, for the organization ${organization}.`
  const text =
    groups
      .map(({ name, lines }) => {
        const items = lines.map(
          ({ title, url, excerpt, by }) =>
            `- ${singleLine(title)}${by === null ? '' : ` (${singleLine(by)})`}\n${excerpt === null ? '' : `  ${singleLine(excerpt)}\n`}  ${url}\n`,
        )
        return `${singleLine(name)}\n\n${items.join('\n')}\n`
      })
      .join('') + `${rest}--\n${why}\nChoose what is sent: ${links.choose}\nStop this e-mail: ${links.stop}\n`
  const grey = 'color:#5b6663'
  const html =
    `<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;max-width:40em">` +
    groups
      .map(({ name, lines }) => {
        const items = lines.map(
          ({ title, url, excerpt, by }) =>
            `<li style="margin:0 0 .6em"><a href="${escapeHtml(url)}">${escapeHtml(title)}</a>${by === null ? '' : ` <span style="${grey}">${escapeHtml(by)}</span>`}${excerpt === null ? '' : `<br><span style="${grey}">${escapeHtml(excerpt)}</span>`}</li>`,
        )
        return `<h2 style="font-size:16px">${escapeHtml(name)}</h2><ul style="padding-left:1.2em">${items.join('')}</ul>`
      })
      .join('') +
    (more === 0 ? '' : `<p><a href="${escapeHtml(links.all)}">and ${more} more</a></p>`) +
    `<hr style="border:0;border-top:1px solid #d5dbd9"><p style="${grey};font-size:13px">${escapeHtml(why)}<br>` +
    `<a href="${escapeHtml(links.choose)}">Choose what is sent</a> · <a href="${escapeHtml(links.stop)}">Stop this e-mail</a></p></body></html>`
  return { subject: subjectOf(groups, more, organization), text, html }
}
