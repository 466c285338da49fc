/** Programs of others that read OpenAPI documents: what is rendered here must be sufficient for each of them. */
import SwaggerParser from '@apidevtools/swagger-parser'
import { bundleFromString, createConfig, lintFromString } from '@redocly/openapi-core'
import { createMarkdownFromOpenApi } from '@scalar/openapi-to-markdown'

const config = createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } })

/** Each takes a JSON text and gives what it complains about; an empty list is a document it can use. */
export const consumers: Readonly<Record<string, (text: string) => Promise<string[]>>> = {
  async 'swagger-parser'(text) {
    // It reads and follows references. Its own check is left out: its copy of the schema is older than the errata of 3.1.
    const document = JSON.parse(text) as Parameters<typeof SwaggerParser.dereference>[0]
    await SwaggerParser.dereference(document, { resolve: { external: false }, dereference: { circular: 'ignore' } })
    return []
  },
  async 'redocly-openapi-core'(text) {
    const source = { source: text, absoluteRef: '/rendered.json', config: await config }
    const [linted, bundled] = [await lintFromString(source), await bundleFromString(source)]
    return [...linted, ...bundled.problems]
      .filter((one) => one.severity === 'error')
      .map((one) => `${one.location[0]?.pointer ?? ''}: ${one.message.split('\n')[0]}`)
  },
  async 'scalar-openapi-to-markdown'(text) {
    const { paths = {} } = JSON.parse(text) as { readonly paths?: Readonly<Record<string, object>> }
    const markdown = (await createMarkdownFromOpenApi(text)).replaceAll('\\', '')
    const missing = Object.keys(paths).filter((path) => {
      const item = paths[path] ?? {}
      return ['get', 'put', 'post', 'delete', 'patch'].some((method) => method in item) && !markdown.includes(path)
    })
    return missing.map((path) => `the path ${path} is not in the text`)
  },
}

/** What the consumers complain about, each complaint with its consumer's name. */
export async function complaintsOf(text: string): Promise<string[]> {
  const all = await Promise.all(
    Object.entries(consumers).map(async ([name, consume]) => {
      const found = await consume(text).catch((error: unknown) => [String(error).split('\n')[0] ?? ''])
      return found.map((one) => `${name}: ${one}`)
    }),
  )
  return all.flat()
}
