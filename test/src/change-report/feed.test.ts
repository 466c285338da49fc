import { expect, test } from 'bun:test'
import { XmlDocument } from 'libxml2-wasm'
import { writeFeed, type Feed } from '../../../src/change-report/feed.ts'
import { atomProblems } from '../../schemas/judges.ts'

const feed: Feed = {
  id: '0198c0de-0000-7000-8000-000000000001',
  title: 'Pets & <Co>: published changes',
  self: 'https://svc.example/v1/tenants/a/projects/pets/changes.atom?x=1&y=2',
  author: 'Pets "R" us',
  since: '2026-01-01T00:00:00.000Z',
  entries: [
    {
      id: '0198c0de-0000-7000-8000-000000000002',
      title: 'Pets 2.0.0: 1 breaking change',
      text: '# Pets 2.0.0\n\n- `a<b>` & "c" \u0007 ]]>',
      link: 'https://svc.example/v1/swagger/a/pets/2.0.0',
      publishedAt: '2026-05-05T00:00:00.123Z',
      updatedAt: '2026-05-06T00:00:00.000Z',
    },
    {
      id: '0198c0de-0000-7000-8000-000000000003',
      title: 'Pets 1.0.0: First release',
      text: '',
      link: '/v1/swagger/a/pets/1.0.0',
      publishedAt: '2026-04-05T00:00:00.000Z',
      updatedAt: '2026-04-05T00:00:00.000Z',
    },
  ],
}

test('the feed fits the grammar of Atom and is read as it was meant', () => {
  const text = writeFeed(feed)
  expect(atomProblems(text)).toBe('')
  const document = XmlDocument.fromString(text)
  const at = (path: string): string[] =>
    document.find(path, { a: 'http://www.w3.org/2005/Atom' }).map((it) => it.content)
  expect([at('/a:feed/a:title'), at('/a:feed/a:updated'), at('//a:entry/a:title'), at('//a:entry/a:content')]).toEqual([
    [feed.title],
    ['2026-05-06T00:00:00.000Z'],
    feed.entries.map((it) => it.title),
    // What XML cannot contain is replaced by the replacement character.
    feed.entries.map((it) => it.text.replace('\u0007', '\uFFFD')),
  ])
  document.dispose()
})

test('a feed of nothing is a feed', () => {
  const text = writeFeed({ ...feed, entries: [] })
  expect(atomProblems(text)).toBe('')
  expect(text).toContain('<updated>2026-01-01T00:00:00.000Z</updated>')
})

test('the grammar refuses what is no Atom', () => {
  expect(atomProblems(writeFeed(feed).replace(/<id>.*<\/id>/, ''))).not.toBe('')
  expect(atomProblems('<feed xmlns="http://www.w3.org/2005/Atom"/>')).not.toBe('')
})
