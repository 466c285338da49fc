import { basename } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { isObject } from '../../src/kernel/json.ts'

const fields = ['rules', 'extends', 'overrides', 'aliases', 'functions']

/** Whether a text is a ruleset: by its name, or by what it says where it is nothing else. */
export function isRuleset({ source, format, value }: Pick<Document, 'source' | 'format' | 'value'>): boolean {
  if (/^\.?spectral\.(?:ya?ml|json)$/.test(basename(source))) return true
  if (format !== null || !isObject(value)) return false
  const keys = Object.keys(value)
  const known = keys.filter((it) => fields.includes(it))
  // "extends" alone is in settings of many programs.
  return (
    isObject(value.rules) &&
    (known.length > 1 || Object.values(value.rules).some((it) => isObject(it) && it.then !== undefined))
  )
}
