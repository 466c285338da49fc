/** The index of the documentation for language models (llmstxt.org): its groups with a link to the Markdown of each page. */
import type { NavigationGroup } from '../../web/docs/navigation.ts'
import { fileOf } from '../../web/docs/place.ts'

/** The Markdown of a page is beside it. */
export const markdownFileOf = (address: string): string => fileOf(address).replace(/\.html$/, '.md')

/**
 * @param address where the site is, with a slash at its end; empty for links from the file itself
 */
export function llmsOf(navigation: readonly NavigationGroup[], address: string): string {
  const groups = navigation.map(({ title, links }) => {
    const lines = links.map(({ title: name, address: page, note }) => {
      const link = `- [${name}](${address}${markdownFileOf(page)})`
      return note === '' ? link : `${link}: ${note}`
    })
    return [`## ${title}`, '', ...lines, ''].join('\n')
  })
  return `# svc

> svc imports, lints, compares, catalogues and publishes API descriptions: OpenAPI, Swagger 2.0, Arazzo, JSON Schema and MCP
> manifests. One executable: a command line, a check for pipelines, a service, and an MCP server for agents.

Every page is Markdown at the address of its HTML with \`.md\` at the end: \`rules/RULE.md\`, \`changes/RULE.md\`, \`errors/CODE.md\`,
\`reference/commands/NOUN/VERB.md\`.

${groups.join('\n')}`
}
