/** Documents of other families, which svc has no rules for: what they are, and what can be done with them nevertheless. */
import { isObject, textOf, type Json } from '../kernel/json.ts'
import type { Document } from './document.ts'

/** A family by its name, and what svc can do with a document of it. */
export interface Family {
  /** With its article where it has one: "AsyncAPI 3.0.0", "a Postman collection". */
  readonly name: string
  /** A sentence without its subject and its full stop: "svc …". */
  readonly help: string
}

/** So much of a text is looked at. */
const longestLook = 20_000

const ownRules =
  'svc has no rules for it; "svc lint --guide" applies a ruleset of yours, and "svc overlay apply" changes it'
const elsewhere = 'svc reads descriptions of HTTP APIs'

const versioned = (name: string, version: Json | undefined): string => {
  const text = typeof version === 'string' || typeof version === 'number' ? String(version) : ''
  return /^[\w.-]{1,20}$/.test(text) ? `${name} ${text}` : name
}

function familyOfValue(value: Json): Family | null {
  if (!isObject(value)) return null
  if (Object.hasOwn(value, 'asyncapi')) return { name: versioned('AsyncAPI', value.asyncapi), help: ownRules }
  if (Object.hasOwn(value, 'overlay') && (isObject(value.info) || Array.isArray(value.actions)))
    return {
      name: `an ${versioned('Overlay', value.overlay)}`,
      help: '"svc overlay apply" applies it to a description, and "svc overlay validate" checks it',
    }
  const { info, log } = value
  if (
    isObject(info) &&
    (/getpostman\.com|schema\.postman/.test(textOf(info.schema)) ||
      (Object.hasOwn(info, '_postman_id') && Array.isArray(value.item)))
  )
    return { name: 'a Postman collection', help: `${elsewhere}; export the API of the collection as OpenAPI` }
  if (isObject(log) && Array.isArray(log.entries) && (isObject(log.creator) || Object.hasOwn(log, 'version')))
    return {
      name: `a ${versioned('HAR', log.version)} file of recorded requests`,
      help: `${elsewhere}, and not what was sent to them`,
    }
  if (
    isObject(value.consumer) &&
    isObject(value.provider) &&
    (Array.isArray(value.interactions) || Array.isArray(value.messages))
  )
    return { name: 'a Pact contract', help: '"svc consumer" compares it with the versions of its provider' }
  if (isObject(value.__schema) || (isObject(value.data) && isObject(value.data.__schema)))
    return { name: 'the introspection of a GraphQL schema', help: `${elsewhere}, and no GraphQL` }
  if (Object.hasOwn(value, 'raml')) return { name: 'RAML', help: `${elsewhere} in OpenAPI; convert it first` }
  return null
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|(?:\/\/|#)[^\n]*/g, '')

function familyOfText(text: string): Family | null {
  const start = text.slice(0, longestLook)
  if (/^\uFEFF?#%RAML\b/.test(start)) return { name: 'RAML', help: `${elsewhere} in OpenAPI; convert it first` }
  const code = withoutComments(start)
  const isProto =
    /^\s*(?:syntax|edition)\s*=\s*["']/.test(code) ||
    (/^\s*(?:package [\w.]+;|import ")/m.test(code) && /^\s*(?:message|service|enum)\s+\w+\s*\{/m.test(code))
  if (isProto)
    return {
      name: 'a protobuf file',
      help: `${elsewhere}, and no protobuf; describe the HTTP side of the service as OpenAPI`,
    }
  const definition =
    /^\s*(?:extend\s+)?(?:type|interface|input|enum|union|scalar|directive|schema)\b\s*[\w@]*[^:=\n]*[{=(]/
  if (definition.test(code.replaceAll(/"""[^]*?"""/g, '')))
    return { name: 'a GraphQL schema', help: `${elsewhere}, and no GraphQL` }
  return null
}

/** The family of a document whose format is not known; null where it is of none that is known either. */
export function familyOf({ value, text, format }: Document): Family | null {
  if (format !== null) return null
  return familyOfValue(value) ?? familyOfText(text)
}

/** "it is AsyncAPI 3.0.0: svc has no rules for it; …"; null where the family is not known. */
export function familySentence(document: Document): string | null {
  const family = familyOf(document)
  return family === null ? null : `it is ${family.name}: ${family.help}`
}
