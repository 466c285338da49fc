/** Links from the page of a rule or change to the playground, with the example of the page in their fragment. */
import { type Input, writeAddress } from '../playground/address.ts'

const block = (name: string): RegExp => new RegExp(`^${name}:\\n\\n\`\`\`yaml\\n([\\s\\S]*?)\`\`\`\\n`, 'm')
const textOf = (name: string, markdown: string): string | undefined => block(name).exec(markdown)?.[1]

/** What a page shows an example of; null where it has none, or one that needs files beside it. */
function inputOf(path: string, markdown: string): { readonly input: Input; readonly after: RegExp } | null {
  const [, folder, id = ''] = /^(rules|changes)\/(.+)\.md$/.exec(path) ?? []
  if (folder === 'rules') {
    const text = textOf('Incorrect', markdown)
    if (text === undefined || markdown.includes('next to it:\n')) return null
    return { input: { mode: 'lint', texts: [text], option: id }, after: block('Incorrect') }
  }
  const [base, head] = [textOf('Before', markdown), textOf('After', markdown)]
  if (folder === undefined || base === undefined || head === undefined) return null
  return { input: { mode: 'compare', texts: [base, head] }, after: block('After') }
}

/**
 * The Markdown of a page with a link to the playground behind its example.
 * @param path below the documentation's folder: "rules/info-contact.md"
 */
export async function withTryLink(path: string, markdown: string): Promise<string> {
  const found = inputOf(path, markdown)
  if (found === null) return markdown
  const link = `[Open this example in the playground](/play${await writeAddress(found.input)})`
  return markdown.replace(found.after, (example) => `${example}\n${link}\n`)
}
