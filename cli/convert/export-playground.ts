/** `svc export --as playground`. */
import { openWeb } from '../../server/web/door.ts'
import { writeChanged } from '../../src/convert/text.ts'
import { findLinks } from '../../src/document/links.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { isBundled } from '../../src/import/bundle/written.ts'
import type { Invocation } from '../declare.ts'
import { readSource } from '../input/document-side.ts'
import { fileNamed } from '../project-file/api-name.ts'
import { readComplete } from './whole.ts'

type Reading = Pick<Invocation, 'io' | 'cwd' | 'env' | 'signal' | 'connection' | 'globals'>

/** The text as it is, mistakes included; of several files a bundle. */
async function textFor(name: string, base: string | undefined, reading: Reading): Promise<string> {
  if (name !== '-') {
    const { text, place } = await readSource(await fileNamed(name, reading.cwd), reading)
    if (findLinks(parseDocument(text, { source: place })).length === 0) return text
  }
  const document = await readComplete(name, base, reading)
  if (!isBundled(document)) return document.text
  const [entry = document] = document.files
  return writeChanged(entry, document.value, entry.syntax, document.exactValue()).text
}

/** Where the page looks for its input; the build writes the element empty. */
const emptyInput = '<script type="application/json" id="input"></script>'

/**
 * The playground with a document, as one HTML file that loads nothing.
 * @throws SvcError as `readSource` and `readComplete` do
 */
export async function exportPlayground(name: string, base: string | undefined, reading: Reading): Promise<string> {
  const text = await textFor(name, base, reading)
  const page = await (await openWeb()).playground()
  // Within an element of the page a text must not end it.
  const input = JSON.stringify({ mode: 'lint', texts: [text] }).replaceAll('<', String.raw`\u003c`)
  return page.replace(emptyInput, () => emptyInput.replace('></', () => `>${input}</`))
}
