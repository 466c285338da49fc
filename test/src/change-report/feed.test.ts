import { expect, test } from 'bun:test'
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFeed, type Feed } from '../../../src/change-report/feed.ts'

const grammar = readFileSync(join(import.meta.dir, '..', '..', 'schemas', 'atom.rng'), 'utf8')

const problemsOf = (text: string): string => {
  const [schema, document] = [XmlDocument.fromString(grammar), XmlDocument.fromString(text)]
  const validator = RelaxNGValidator.fromDoc(schema)
  try {
    validator.validate(document)
    return ''
  } catch (error) {
    return (error as Error).message
  } finally {
    validator.dispose()
    document.dispose()
    schema.dispose()
  }
}

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
      title: 'Pets 1.0.0: First publication',
      text: '',
      link: '/v1/swagger/a/pets/1.0.0',
      publishedAt: '2026-04-05T00:00:00.000Z',
      updatedAt: '2026-04-05T00:00:00.000Z',
    },
  ],
}

test('the feed fits the grammar of Atom and is read as it was meant', () => {
  const text = writeFeed(feed)
  expect(problemsOf(text)).toBe('')
  const document = XmlDocument.fromString(text)
  const at = (path: string): string[] =>
    document.find(path, { a: 'http://www.w3.org/2005/Atom' }).map((it) => it.content)
  expect([at('/a:feed/a:title'), at('/a:feed/a:updated'), at('//a:entry/a:title'), at('//a:entry/a:content')]).toEqual([
    [feed.title],
    ['2026-05-06T00:00:00.000Z'],
    feed.entries.map((it) => it.title),
    // What XML has no way to write is told by the character that stands for it.
    feed.entries.map((it) => it.text.replace('\u0007', '\uFFFD')),
  ])
  document.dispose()
})

test('a feed of nothing is a feed', () => {
  const text = writeFeed({ ...feed, entries: [] })
  expect(problemsOf(text)).toBe('')
  expect(text).toContain('<updated>2026-01-01T00:00:00.000Z</updated>')
})

test('the grammar refuses what is no Atom', () => {
  expect(problemsOf(writeFeed(feed).replace(/<id>.*<\/id>/, ''))).not.toBe('')
  expect(problemsOf('<feed xmlns="http://www.w3.org/2005/Atom"/>')).not.toBe('')
})
