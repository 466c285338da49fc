import { parseDocument } from '../../src/document/parse.ts'
import { importDocument, type ImportedSpec } from '../../src/import/importer.ts'
import { renderArazzo, renderJsonSchema, renderOpenapi, writeDocument } from '../../src/render/render.ts'
import type { JsonObject } from '../../src/document/json.ts'

const again = (text: string, source: string): ImportedSpec | null =>
  importDocument(parseDocument(text, { source }), 'auto').spec

const operationsOf = ({ operations }: ImportedSpec): string =>
  JSON.stringify(operations.map((operation) => ({ ...operation, pointer: null })))

/** What a document loses when it is rendered, imported, and rendered again, as JSON and as YAML. Nothing is an empty list. */
export function lossesOf(spec: ImportedSpec): string[] {
  const losses: string[] = []
  const check = (
    what: string,
    value: JsonObject | undefined,
    render: (spec: ImportedSpec) => JsonObject | undefined,
  ) => {
    if (value === undefined) return
    const text = writeDocument(value, 'json')
    for (const syntax of ['json', 'yaml'] as const) {
      const back = again(writeDocument(value, syntax), `rendered.${syntax}`)
      if (back === null) {
        losses.push(`${what} (${syntax}) is not read again`)
        continue
      }
      const rendered = render(back)
      if (rendered === undefined || writeDocument(rendered, 'json') !== text)
        losses.push(`${what} (${syntax}) is not the same again`)
      for (const { message, path } of [...back.problems, ...back.unresolved, ...back.warnings])
        losses.push(`${what} (${syntax}) ${path.join('/')}: ${message}`)
      if (what === 'openapi' && operationsOf(back) !== operationsOf(spec))
        losses.push(`${what} (${syntax}) has other operations`)
    }
  }
  if (spec.format.kind === 'arazzo') check('arazzo', renderArazzo(spec).value, (back) => renderArazzo(back).value)
  else {
    check('openapi', renderOpenapi(spec).value, (back) => renderOpenapi(back).value)
    if (Object.keys(spec.classes).length > 0)
      check('json-schema', renderJsonSchema(spec).value, (back) => renderJsonSchema(back).value)
  }
  return losses
}
