import { escapeMarkup } from '../report/escape.ts'

/** A publication as an entry of a feed. */
export interface FeedEntry {
  /** A UUID, the same for as long as the entry is there. */
  readonly id: string
  readonly title: string
  /** Markdown. */
  readonly text: string
  readonly link: string
  readonly publishedAt: string
  readonly updatedAt: string
}

export interface Feed {
  /** A UUID. */
  readonly id: string
  readonly title: string
  /** The address of the feed itself. */
  readonly self: string
  readonly author: string
  /** Null if nothing was published; the feed then uses `since`. */
  readonly entries: readonly FeedEntry[]
  readonly since: string
}

const entryXml = (entry: FeedEntry): string =>
  [
    '  <entry>',
    `    <id>urn:uuid:${escapeMarkup(entry.id)}</id>`,
    `    <title type="text">${escapeMarkup(entry.title)}</title>`,
    `    <published>${entry.publishedAt}</published>`,
    `    <updated>${entry.updatedAt}</updated>`,
    `    <link rel="alternate" href="${escapeMarkup(entry.link)}"/>`,
    `    <content type="text">${escapeMarkup(entry.text)}</content>`,
    '  </entry>',
  ].join('\n')

/** Writes an Atom feed (RFC 4287). */
export const writeFeed = ({ id, title, self, author, entries, since }: Feed): string => {
  const updated =
    entries
      .map((it) => it.updatedAt)
      .sort()
      .at(-1) ?? since
  return `${[
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>urn:uuid:${escapeMarkup(id)}</id>`,
    `  <title type="text">${escapeMarkup(title)}</title>`,
    `  <updated>${updated}</updated>`,
    `  <author><name>${escapeMarkup(author)}</name></author>`,
    `  <link rel="self" type="application/atom+xml" href="${escapeMarkup(self)}"/>`,
    ...entries.map(entryXml),
    '</feed>',
  ].join('\n')}\n`
}
