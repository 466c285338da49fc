/** How news are written for the incoming webhook of each chat, and what its answer means. */
import type { ChatService } from '../../src/api/notification-targets.ts'

/** One of the news of a message. */
export interface Line {
  readonly title: string
  readonly url: string
  readonly excerpt: string | null
  readonly by: string | null
}

/** A message: what it is about, and its news. */
export interface ChatMessage {
  readonly lines: readonly Line[]
  /** How many more there are that it does not name. */
  readonly more: number
}

const longestExcerpt = 200
const invisible = '\u200b'

const short = (text: string): string => (text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)} …` : text)
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

// Slack reads <…> as links and mentions, and these three alone are escaped.
const slackText = (text: string): string =>
  oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
// What follows @ is a mention of everybody in a channel, and these mark up Markdown.
const markdownText = (text: string): string =>
  oneLine(text)
    .replaceAll('@', `@${invisible}`)
    .replaceAll(/[\\`*_[\]<>()~|#]/g, String.raw`\$&`)

/** An address between the parentheses of a link of Markdown. */
const linkTarget = (url: string): string =>
  url.replaceAll(
    /[\s()<>|\\"]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

const tailOf = ({ excerpt, by }: Line, write: (text: string) => string): string =>
  `${by === null ? '' : ` – ${write(by)}`}${excerpt === null ? '' : `\n> ${write(short(excerpt))}`}`

const moreText = (more: number): string => (more === 0 ? '' : `\n… and ${more} more`)

const markdownOf = ({ lines, more }: ChatMessage): string =>
  lines
    .map((line) => `[${markdownText(line.title)}](${linkTarget(line.url)})${tailOf(line, markdownText)}`)
    .join('\n') + moreText(more)

const cardOf = ({ lines, more }: ChatMessage) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          ...lines.map((line) => ({
            type: 'TextBlock',
            wrap: true,
            text: `[${markdownText(line.title)}](${linkTarget(line.url)})${tailOf(line, markdownText).replace('\n> ', '\n\n')}`,
          })),
          ...(more === 0 ? [] : [{ type: 'TextBlock', isSubtle: true, text: `and ${more} more` }]),
        ],
      },
    },
  ],
})

const maxDiscordCharacters = 2000

/** The body of the request to the incoming webhook of a chat. */
export function chatBody(service: ChatService, message: ChatMessage): unknown {
  switch (service) {
    case 'slack': {
      const lines = message.lines.map(
        (line) => `<${line.url.replaceAll('>', '%3E')}|${slackText(line.title)}>${tailOf(line, slackText)}`,
      )
      return { text: lines.join('\n') + moreText(message.more), unfurl_links: false }
    }
    case 'teams':
      return cardOf(message)
    case 'mattermost':
      return { text: markdownOf(message) }
    case 'discord': {
      const kept = [...message.lines]
      const content = (): string => markdownOf({ lines: kept, more: message.more + message.lines.length - kept.length })
      while (kept.length > 1 && content().length > maxDiscordCharacters) kept.pop()
      // 4: no previews of links.
      return { content: content().slice(0, maxDiscordCharacters), allowed_mentions: { parse: [] }, flags: 4 }
    }
  }
}

/** What the answer of a chat means. */
export type ChatOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'stop'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number }

const longestAnswer = 200
const maxRetryAfterMs = 24 * 3_600_000

/** Reads the answer; reasons end a sentence. A webhook that was removed at the chat does not come back. */
export function chatOutcome(status: number, retryAfter: string | null, body: string): ChatOutcome {
  // Older webhooks of Teams answer 200 with an error as text.
  const isRefused = /^Webhook message delivery failed/i.test(body)
  if (status >= 200 && status < 300 && !isRefused) return { kind: 'sent' }
  const said = oneLine(body.replaceAll(/<[^>]*>/g, ' ')).slice(0, longestAnswer)
  const reason = `the chat answered ${status}${said === '' ? '' : `: ${said}`}`
  if (status === 404 || status === 410 || status === 401 || status === 403)
    return { kind: 'stop', reason: `${reason}; its webhook may have been removed there` }
  const seconds = retryAfter !== null && /^\d{1,6}(\.\d+)?$/.test(retryAfter) ? Number(retryAfter) : 0
  return { kind: 'failed', reason, retryAfterMs: Math.min(seconds * 1000, maxRetryAfterMs) }
}
