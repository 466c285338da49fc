/** The beginning of a document: enough to tell its format, whatever follows, and whether or not all of it can be read. */
import type { Json } from '../kernel/json.ts'
import { defaultLimits } from './limits.ts'
import { nodeKind, type Outline } from './outline.ts'
import { scanYaml } from './scan-yaml.ts'
import { TooDeep } from './too-deep.ts'
import { readYamlKey } from './yaml-scalar.ts'
import { findFirstDocument } from './yaml-stream.ts'

/** How much of a document is read. */
const maxBytes = 64 * 1024
/** A list of tools in an answer in its envelope is the deepest place that decides about a format. */
const maxDepth = 4

/** The text of the first bytes of a file: in UTF-8, or in UTF-16 where a byte order mark says so. What is neither is replaced. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isLittle = first === 0xff && second === 0xfe
  const isBig = first === 0xfe && second === 0xff
  const encoding = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8'
  // The end may cut a character in two: streams wait for the rest of it.
  return new TextDecoder(encoding).decode(bytes, { stream: true })
}

// Unfinished strings and comments reach to the end, so that no text makes it look at a place twice.
const stringOrComment = /"(?:[^"\\]|\\[^])*(?:"|$)|(?<=^|[\s{}[\],])(?:\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))/g

/** Blanks the comments that some allow in JSON: who wrote them meant a description, and its import says what is wrong. */
const withoutComments = (text: string): string =>
  /^\uFEFF?\s*(?:[{[]|\/[/*])/.test(text)
    ? text.replaceAll(stringOrComment, (part) => (part.startsWith('"') ? part : part.replaceAll(/[^\n]/g, ' ')))
    : text

/** Outlines as much of a text as nests no deeper than documents may. */
function outlineOf(text: string): Outline {
  const { from, to } = findFirstDocument(text)
  let read = text.slice(0, to)
  for (;;)
    try {
      return scanYaml(read, from, defaultLimits).outline
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error
      read = read.slice(0, error.offset)
    }
}

const words: ReadonlyMap<string, Json> = new Map([
  ['', null],
  ['~', null],
  ['null', null],
  ['true', true],
  ['false', false],
])

function scalarOf(text: string, start: number, end: number): Json {
  const plain = text.slice(start, end)
  const word = words.get(plain)
  if (word !== undefined) return word
  return /^[-+]?\.?\d[\d.eE+-]*$/.test(plain) && Number.isFinite(Number(plain))
    ? Number(plain)
    : readYamlKey(text, start, end)
}

/**
 * The value of a node, without aliases and what is nested too deep to matter.
 * @param cut where the text was cut off: a scalar that reaches there is left out, a collection has lost its end only
 * @returns undefined for what is left out
 */
function valueOf(outline: Outline, id: number, cut: number, depth = 0): Json | undefined {
  const { kind, start, end, text } = outline
  if (kind[id] === nodeKind.scalar)
    return (end[id] ?? 0) >= cut ? undefined : scalarOf(text, start[id] ?? 0, end[id] ?? 0)
  if (kind[id] === nodeKind.alias) return undefined
  const children = depth < maxDepth ? [...outline.children(id)] : []
  if (kind[id] === nodeKind.sequence) {
    // An item that was cut says nothing about the list where there are whole ones.
    const whole = children.filter((child) => (end[child] ?? 0) < cut)
    return (whole.length > 0 ? whole : children)
      .map((child) => valueOf(outline, child, cut, depth + 1))
      .filter((item) => item !== undefined)
  }
  const entries = children.flatMap((child) => {
    const value = valueOf(outline, child, cut, depth + 1)
    return value === undefined ? [] : [[outline.key(child), value] as const]
  })
  return Object.fromEntries(entries)
}

/**
 * What is at the beginning of a document in JSON or YAML, by the outline of its text: the members of its root, and what they hold
 * to a depth of four. Of a file that ends in the middle of a document it gives what is before; of one that is not a document, something
 * that no format has. `detectFormat` takes it as it takes the value of a whole document.
 * @param bytes the content of the file; only its first 64 KiB are read
 */
export function readBeginning(bytes: Uint8Array): Json {
  const text = withoutComments(decode(bytes.subarray(0, maxBytes)))
  const outline = outlineOf(text)
  if (outline.count === 0) return null
  const isCut = bytes.byteLength > maxBytes || outline.text.length < findFirstDocument(text).to
  return valueOf(outline, 0, isCut ? outline.text.trimEnd().length : Number.POSITIVE_INFINITY) ?? null
}
