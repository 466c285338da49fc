/** What is posted to each chat, and what its answers mean. */
import { expect, test } from 'bun:test'
import { chatBody, chatOutcome, type ChatMessage } from '../../../server/news/chat.ts'
import { chatServices } from '../../../src/api/notification-targets.ts'

const url = 'https://svc.test/app/t/acme/pets/1.0.0'
const line = { title: 'Pets 1.0.0 was published', url, excerpt: null, by: 'Ann' }
const hostile = {
  title: '<!channel> [x](https://evil.test) @everyone *b*',
  url: `${url}?thread=a b>|x`,
  excerpt: 'first\nsecond @here',
  by: null,
}
const one: ChatMessage = { lines: [line], more: 0 }
const odd: ChatMessage = { lines: [hostile], more: 3 }

test('Slack: a link with a title, and nothing of a text is a mention', () => {
  expect(chatBody('slack', one)).toEqual({ text: `<${url}|Pets 1.0.0 was published> – Ann`, unfurl_links: false })
  expect(chatBody('slack', odd)).toEqual({
    text: `<${url}?thread=a b%3E|x|&lt;!channel&gt; [x](https://evil.test) @everyone *b*>\n> first second @here\n… and 3 more`,
    unfurl_links: false,
  })
})

test('Mattermost and Discord: Markdown, and nothing of a text is a mention or a link', () => {
  const text = `[Pets 1.0.0 was published](${url}) – Ann`
  expect(chatBody('mattermost', one)).toEqual({ text })
  expect(chatBody('discord', one)).toEqual({ content: text, allowed_mentions: { parse: [] }, flags: 4 })
  const escaped = String.raw`\<!channel\> \[x\]\(https://evil.test\) @` + '\u200b' + String.raw`everyone \*b\*`
  expect(chatBody('mattermost', odd)).toEqual({
    text: `[${escaped}](${url}?thread=a%20b%3E%7Cx)\n> first second @\u200bhere\n… and 3 more`,
  })
})

test('Teams: an adaptive card with a block for each line', () => {
  expect(chatBody('teams', { lines: [line, line], more: 2 })).toEqual({
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
            { type: 'TextBlock', wrap: true, text: `[Pets 1.0.0 was published](${url}) – Ann` },
            { type: 'TextBlock', wrap: true, text: `[Pets 1.0.0 was published](${url}) – Ann` },
            { type: 'TextBlock', isSubtle: true, text: 'and 2 more' },
          ],
        },
      },
    ],
  })
})

test('Discord takes 2,000 characters: what does not fit is counted', () => {
  const lines = Array.from({ length: 10 }, (_, n) => ({ ...line, title: `${n} ${'x'.repeat(400)}` }))
  const { content } = chatBody('discord', { lines, more: 1 }) as { content: string }
  expect(content.length).toBeLessThanOrEqual(2000)
  expect(content.split('\n').at(-1)).toBe('… and 7 more')
})

test('an address that cannot be decoded breaks no message', () => {
  for (const service of chatServices)
    expect(JSON.stringify(chatBody(service, { lines: [{ ...line, url: 'https://svc.test/%zz' }], more: 0 }))).toContain(
      'svc.test',
    )
})

test('answers: sent, later, or never again', () => {
  expect([chatOutcome(200, null, 'ok'), chatOutcome(204, null, ''), chatOutcome(202, null, '')]).toEqual([
    { kind: 'sent' },
    { kind: 'sent' },
    { kind: 'sent' },
  ])
  expect(chatOutcome(429, '2.5', '{"retry_after":2.5}')).toEqual({
    kind: 'failed',
    reason: 'the chat answered 429: {"retry_after":2.5}',
    retryAfterMs: 2500,
  })
  expect(chatOutcome(503, 'soon', '<html><b>Down</b></html>')).toEqual({
    kind: 'failed',
    reason: 'the chat answered 503: Down',
    retryAfterMs: 0,
  })
  expect(chatOutcome(404, null, 'no_service')).toEqual({
    kind: 'stop',
    reason: 'the chat answered 404: no_service; its webhook may have been removed there',
  })
  expect(chatOutcome(200, null, 'Webhook message delivery failed with error: 429').kind).toBe('failed')
})
