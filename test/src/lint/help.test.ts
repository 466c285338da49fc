import { describe, expect, test } from 'bun:test'
import type { Document } from '../../../src/document/document.ts'
import type { Beside } from '../../../src/mcp-catalogue/beside.ts'
import { lookBeside } from '../../../src/mcp-catalogue/look-beside.ts'
import { readUpload } from '../../../src/mcp-catalogue/observe.ts'
import type { Surface } from '../../../src/mcp-catalogue/types.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import type { Rule } from '../../../src/lint/rule.ts'
import { rules } from '../../../src/lint/rules.gen.ts'

/** For MCP servers: what was approved, and the tools of other servers. */
function besideOf({ format, text }: Document, files: Readonly<Record<string, string>>): Beside | null {
  if (format?.kind !== 'mcp' || Object.keys(files).length === 0) return null
  const { 'approved.yaml': approved, ...servers } = files
  const surfaceOf = (it: string): Surface => readUpload(it).surface
  const toolsOf = (it: string): string[] => surfaceOf(it).tools.map(({ name }) => String(name))
  const others = Object.fromEntries(Object.entries(servers).map(([name, it]) => [name, toolsOf(it)]))
  return lookBeside(surfaceOf(text), approved === undefined ? null : surfaceOf(approved), others)
}

const found = (id: string, rule: Rule, text: string): string[] => {
  const document = parseDocument(text, { source: 'example.yaml' })
  expect(document.problems).toEqual([])
  const documents = Object.fromEntries(
    Object.entries(rule.help?.beside ?? {}).map(([source, it]) => [source, parseDocument(it, { source })]),
  )
  return lint(document, { [id]: rule }, { documents, beside: besideOf(document, rule.help?.beside ?? {}) })
    .findings.filter((it) => it.code === id)
    .map((it) => it.message)
}

describe('the examples of a rule', () => {
  for (const [id, rule] of Object.entries(rules)) {
    const { help } = rule
    test(id, () => {
      if (help === undefined) throw new Error('the rule says nothing to those who ask')
      expect(found(id, rule, help.bad).length).toBeGreaterThan(0)
      expect(found(id, rule, help.good)).toEqual([])
      for (const sentence of [rule.description ?? '', help.why, help.remedy]) expect(sentence).toMatch(/^[^\s].*[.?]$/s)
      expect(rule.documentationUrl).toStartWith('https://')
    })
  }
})
