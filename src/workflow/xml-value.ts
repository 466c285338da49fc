/** The value that an XML text is by a schema, for its validation (OpenAPI 3.2.0, "XML Object", sections on names and nodes). */
import type { Element } from '@xmldom/xmldom'
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { parseXml } from './xml.ts'
import { namesOf, shapeOf, withoutPrefix, XmlUndecided, type XmlNames, type XmlShape } from './xml-shape.ts'

/** A place where the XML has not the form that its schema describes. */
interface XmlFault {
  /** The names of elements and attributes that lead there, from the content of the document element. */
  readonly path: readonly string[]
  readonly message: string
}

/** The value of an XML text, and what its form is not. */
interface XmlReading {
  readonly value: Json
  readonly faults: readonly XmlFault[]
  /** Places whose value cannot be known from their schema, with the reason. The value has a text of its own at each. */
  readonly undecided: readonly XmlFault[]
}

interface Reader {
  readonly root: JsonObject
  readonly faults: XmlFault[]
  readonly undecided: XmlFault[]
  /** Schemas that were read: a list has as many elements as its sender likes. */
  readonly shapes: Map<Json, XmlShape>
}

function shapeIn({ root, shapes }: Reader, schema: Json): XmlShape {
  const known = shapes.get(schema)
  if (known !== undefined) return known
  const shape = shapeOf(root, schema)
  shapes.set(schema, shape)
  return shape
}

/** What is at a place that is not decided: no two are the same, so that a list of them has different items. */
const openValue = ({ undecided }: Reader): string => `undecided ${undecided.length}`

/** The value at a place; where it cannot be known, the place is noted, and everything around it is decided nevertheless. */
function orOpen(reader: Reader, path: readonly string[], read: () => Json): Json {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof XmlUndecided)) throw error
    reader.undecided.push({ path, message: error.message })
    return openValue(reader)
  }
}

const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance'

const nameOf = ({ localName, nodeName }: { readonly localName: string | null; readonly nodeName: string }): string =>
  localName ?? nodeName

function childrenOf(element: Element): readonly Element[] {
  const found: Element[] = []
  for (let at = element.firstChild; at !== null; at = at.nextSibling) if (at.nodeType === 1) found.push(at as Element)
  return found
}

/** The text of an element itself, without that of the elements in it. */
function ownText(element: Element): string {
  let text = ''
  for (let at = element.firstChild; at !== null; at = at.nextSibling)
    if (at.nodeType === 3 || at.nodeType === 4) text += at.nodeValue ?? ''
  return text
}

function attributesOf(
  element: Element,
): readonly { readonly name: string; readonly namespace: string | null; readonly value: string }[] {
  const { attributes } = element
  return Array.from({ length: attributes.length }, (_, index) => attributes.item(index))
    .filter((it) => it !== null)
    .filter((it) => it.name !== 'xmlns' && it.prefix !== 'xmlns' && it.namespaceURI !== instanceNamespace)
    .map((it) => ({ name: nameOf(it), namespace: it.namespaceURI, value: it.value }))
}

const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

function numberOf(text: string): Json {
  const plain = text.trim()
  if (/^[+-]?INF$|^NaN$/.test(plain)) throw new XmlUndecided(`"${plain}" is a number of XML Schema alone`)
  if (!number.test(plain)) return text
  const value = Number(plain)
  const digits = plain
    .replace(/[eE].*$/, '')
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '').length
  if (!Number.isFinite(value) || digits > 15) throw new XmlUndecided(`a number has more digits than are exact`)
  return value
}

/** The value that a text has by the type of its schema. A text that has none stays a string, which the schema then refuses. */
function scalarOf({ type, isNullable }: XmlShape, text: string): Json {
  if (type === 'string') return text
  if (text.trim() === '' && (isNullable || type === 'null')) throw new XmlUndecided('an empty node may mean null')
  if (type === 'number' || type === 'integer') return numberOf(text)
  if (type !== 'boolean') throw new XmlUndecided(`the type "${type}" has no text`)
  const plain = text.trim()
  if (plain === '0' || plain === '1') throw new XmlUndecided(`"${plain}" is a truth value of XML Schema alone`)
  return plain === 'true' || plain === 'false' ? plain === 'true' : text
}

const isNil = (element: Element): boolean => /^(?:true|1)$/.test(element.getAttributeNS(instanceNamespace, 'nil') ?? '')

function elementValue(reader: Reader, shape: XmlShape, element: Element, path: readonly string[]): Json {
  if (isNil(element)) return null
  if (shape.kind === 'any') return element.textContent ?? ''
  if (shape.kind === 'object') return objectOf(reader, shape, element, path)
  if (shape.kind === 'array') return wrappedItems(reader, shape, element, path)
  // An object is of no scalar type: the schema refuses it.
  return childrenOf(element).length === 0 ? scalarOf(shape, element.textContent ?? '') : {}
}

const fits = ({ names, namespace }: XmlNames, name: string, found: string | null): boolean =>
  names.includes(name) && (namespace === null || namespace === found)

function itemShape(reader: Reader, { items }: XmlShape): XmlShape {
  const shape = shapeIn(reader, items ?? true)
  if (shape.node !== 'element') throw new XmlUndecided('the items of a list are no elements')
  return shape
}

/** The items of a list that has an element of its own. */
function wrappedItems(reader: Reader, shape: XmlShape, element: Element, path: readonly string[]): Json {
  const item = itemShape(reader, shape)
  const wanted = namesOf(item, [path.at(-1) ?? null, nameOf(element)])
  return childrenOf(element).map((child, index) => {
    const at = [...path, String(index)]
    if (!fits(wanted, nameOf(child), child.namespaceURI)) {
      if (!wanted.isSaid) throw new XmlUndecided(`no "name" says that items are called "${nameOf(child)}"`)
      reader.faults.push({ path: at, message: misnamed(wanted, child) })
    }
    return orOpen(reader, at, () => elementValue(reader, item, child, at))
  })
}

function misnamed({ names, namespace }: XmlNames, element: Element): string {
  const found = nameOf(element)
  if (!names.includes(found)) return `must be the element "${names.join('" or "')}", not "${found}"`
  const own = element.namespaceURI === null ? 'none' : `"${element.namespaceURI}"`
  return `must be of the namespace "${namespace}", not of ${own}`
}

/** What is left of an element when properties have taken their elements and attributes. */
interface Left {
  readonly elements: Element[]
  readonly attributes: { readonly name: string; readonly namespace: string | null; readonly value: string }[]
  readonly isTextTaken: boolean
}

/** Elements whose name a property may have: names that are said before names that are derived. */
function takeElements(left: Left, wanted: XmlNames, declared: ReadonlySet<string>, property: string): Element[] {
  const isOwn = (it: Element): boolean => {
    const name = nameOf(it)
    // The name of a component gives way to a property of that name.
    return fits(wanted, name, it.namespaceURI) && (wanted.isSaid || name === property || !declared.has(name))
  }
  const found = left.elements.filter(isOwn)
  left.elements.splice(0, left.elements.length, ...left.elements.filter((it) => !isOwn(it)))
  return found
}

function listOf(reader: Reader, shape: XmlShape, property: string, place: Place): Json | undefined {
  const item = itemShape(reader, shape)
  const found = takeElements(place.left, namesOf(item, [property]), place.declared, property)
  if (found.length === 0) return place.isRequired ? [] : undefined
  return found.map((it, index) => {
    const path = [...place.path, property, String(index)]
    return orOpen(reader, path, () => elementValue(reader, item, it, path))
  })
}

/** Where a property is looked for. */
interface Place {
  readonly element: Element
  readonly left: Left
  /** The names of all properties. */
  readonly declared: ReadonlySet<string>
  readonly isRequired: boolean
  readonly path: readonly string[]
}

function attributeOf(reader: Reader, shape: XmlShape, property: string, { left, path }: Place): Json | undefined {
  if (shape.kind !== 'scalar' && shape.kind !== 'any') throw new XmlUndecided('an attribute has a list or an object')
  const wanted = namesOf(shape, [property])
  const at = left.attributes.findIndex(({ name, namespace }) => fits(wanted, name, namespace))
  const [found] = at === -1 ? [] : left.attributes.splice(at, 1)
  if (found === undefined) return undefined
  return shape.kind === 'any' ? found.value : orOpen(reader, [...path, property], () => scalarOf(shape, found.value))
}

function propertyOf(reader: Reader, shape: XmlShape, property: string, place: Place): Json | undefined {
  if (shape.node === 'attribute') return attributeOf(reader, shape, property, place)
  if (shape.node === 'text' || shape.node === 'cdata') {
    if (shape.kind !== 'scalar' && shape.kind !== 'any') throw new XmlUndecided('a text has a list or an object')
    const text = ownText(place.element)
    return shape.kind === 'any' ? text : orOpen(reader, [...place.path, property], () => scalarOf(shape, text))
  }
  if (shape.node === 'none') return listOf(reader, shape, property, place)
  const wanted = namesOf(shape, [property])
  const [first, ...more] = takeElements(place.left, wanted, place.declared, property)
  const path = [...place.path, property]
  if (first === undefined) return undefined
  if (more.length > 0)
    reader.faults.push({ path, message: `is there ${more.length + 1} times, and its schema describes one element` })
  return orOpen(reader, path, () => elementValue(reader, shape, first, path))
}

/** The element of a property whose schema cannot be read, as far as its name is known. */
function openProperty(reader: Reader, schema: Json, property: string, place: Place): Json {
  const { xml } = isObject(schema) ? schema : {}
  const name = isObject(xml) && typeof xml.name === 'string' ? withoutPrefix(xml.name) : property
  takeElements(place.left, { names: [name], isSaid: true, namespace: null }, place.declared, property)
  return openValue(reader)
}

/** Elements that no property describes, by name. */
function addOthers(reader: Reader, shape: XmlShape, left: Left, members: Map<string, Json>, path: readonly string[]) {
  const { additional } = shape
  if (left.attributes[0] !== undefined && additional !== undefined && additional !== true)
    throw new XmlUndecided(`no property describes the attribute "${left.attributes[0].name}"`)
  for (const element of left.elements) {
    const name = nameOf(element)
    if (shape.properties.has(name)) {
      // Another element has the property of this name, so this one has no name in the value.
      if (additional === false)
        reader.faults.push({ path, message: `has the element "${name}", which no property describes` })
      else if (additional !== undefined && additional !== true)
        throw new XmlUndecided(`no property describes the element "${name}"`)
    } else if (additional === undefined || typeof additional === 'boolean') members.set(name, '')
    else if (members.has(name)) throw new XmlUndecided(`"${name}" is there several times`)
    else {
      const at = [...path, name]
      members.set(
        name,
        orOpen(reader, at, () => elementValue(reader, shapeIn(reader, additional), element, at)),
      )
    }
  }
}

/** The shapes of the properties, and why those of others cannot be read. */
function shapesIn(
  reader: Reader,
  { properties }: XmlShape,
): { readonly known: ReadonlyMap<string, XmlShape>; readonly open: Map<string, string> } {
  const known = new Map<string, XmlShape>()
  const open = new Map<string, string>()
  for (const [name, schema] of properties)
    try {
      known.set(name, shapeIn(reader, schema))
    } catch (error) {
      if (!(error instanceof XmlUndecided)) throw error
      open.set(name, error.message)
    }
  return { known, open }
}

function objectOf(reader: Reader, shape: XmlShape, element: Element, path: readonly string[]): Json {
  const { known, open } = shapesIn(reader, shape)
  const left: Left = {
    elements: [...childrenOf(element)],
    attributes: [...attributesOf(element)],
    isTextTaken: known.values().some(({ node }) => node === 'text' || node === 'cdata'),
  }
  const members = new Map<string, Json>()
  const declared = new Set(shape.properties.keys())
  const placeOf = (name: string): Place => ({ element, left, declared, isRequired: shape.required.has(name), path })
  for (const [name, inner] of known)
    try {
      const value = propertyOf(reader, inner, name, placeOf(name))
      if (value !== undefined) members.set(name, value)
    } catch (error) {
      if (!(error instanceof XmlUndecided)) throw error
      open.set(name, error.message)
    }
  for (const [name, message] of open) {
    reader.undecided.push({ path: [...path, name], message })
    members.set(name, openProperty(reader, shape.properties.get(name) ?? true, name, placeOf(name)))
  }
  // What is left may belong to a property whose schema cannot be read: an attribute, a text, an element of another name.
  if (open.size > 0) return Object.fromEntries(members)
  if (!left.isTextTaken && ownText(element).trim() !== '') throw new XmlUndecided('an object has a text of its own')
  addOthers(reader, shape, left, members, path)
  return Object.fromEntries(members)
}

/**
 * Reads an XML text as the value that a schema describes: names, attributes, lists and namespaces as its `xml` says.
 * @param root the description that references of the schema lead into; one of 3.1 or 3.2
 * @throws XmlUndecided where the value as a whole cannot be known from the schema
 * @throws XmlUnread for XML that is too large or too deep, or has a document type
 * @throws SelectorInvalid for a text that is no XML
 */
export async function readXml(root: JsonObject, schema: Json, text: string): Promise<XmlReading> {
  const { document } = await parseXml(text)
  const element = document.documentElement
  if (element === null) throw new XmlUndecided('the XML has no element')
  const shape = shapeOf(root, schema)
  if (shape.node !== 'element') throw new XmlUndecided('the document element is described as no element')
  const reader: Reader = { root, faults: [], undecided: [], shapes: new Map() }
  const wanted = namesOf(shape, [])
  if (!fits(wanted, nameOf(element), element.namespaceURI) && (wanted.isSaid || wanted.namespace !== null))
    reader.faults.push({ path: [], message: misnamed(wanted, element) })
  else if (wanted.names.length > 0 && !wanted.names.includes(nameOf(element)))
    throw new XmlUndecided(`no "name" says that the document element is called "${nameOf(element)}"`)
  const value = elementValue(reader, shape, element, [])
  return { value, faults: reader.faults, undecided: reader.undecided }
}
