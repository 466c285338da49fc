import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from '../../../src/document/parse.ts'
import { findUnresolved } from '../../../src/document/reference.ts'
import { validateStructure } from '../../../src/document/validate/structure.ts'
import { importDocument } from '../../../src/import/importer.ts'

const folder = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
const validator = new Validator()

describe('every real document becomes a valid OpenAPI 3.1.0 document', () => {
  const extra = process.env.TEST_DOCUMENTS
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^[23].*\.json$/.test(name))
    .sort()
    .map((name) => join(folder, name))
  if (extra !== undefined)
    for (const name of readdirSync(extra, { recursive: true, encoding: 'utf8' }))
      if (/\.(json|ya?ml)$/.test(name)) files.push(join(extra, name))
  for (const file of files) {
    const document = parseDocument(readFileSync(file, 'utf8'), { source: file })
    if (document.format?.kind !== 'openapi' && document.format?.kind !== 'swagger') continue
    test(file.slice(folder.length + 1), async () => {
      const { spec } = importDocument(document, 'auto')
      expect(spec).not.toBeNull()
      if (spec === null || spec.problems.length > 0) return
      const rendered = parseDocument(JSON.stringify(spec.openapi), { source: 'rendered.json' })
      const faults = validateStructure(rendered).filter(({ severity }) => severity === 'error')
      expect(faults.map(({ path, message }) => `${path.join('/')}: ${message}`)).toEqual([])
      if (spec.unresolved.length > 0) return
      expect(findUnresolved(rendered).map(({ message }) => message)).toEqual([])
      const { valid, errors } = await validator.validate(structuredClone(spec.openapi) as Record<string, unknown>)
      // That validator takes a "$ref" inside the value of an example for a reference.
      const resolved = typeof errors === 'string' && errors.endsWith('/example')
      expect(valid || resolved ? undefined : errors).toBeUndefined()
    })
  }
})
