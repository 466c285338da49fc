/** XPath 3.1 in XML texts. Both libraries are loaded when a workflow needs them. */
import type { Json } from '../kernel/json.ts'
import { SelectorInvalid, XmlUnread } from './faults.ts'

type Xml = Awaited<ReturnType<typeof parseXml>>

/** Texts of more characters are not searched: a tree of them takes many times their memory. */
const maxXmlLength = 20_000_000

/**
 * Reads an XML text.
 * @throws XmlUnread for XML that is too large or has a document type
 * @throws SelectorInvalid for a text that is no XML
 */
export async function parseXml(text: string) {
  if (text.length > maxXmlLength) throw new XmlUnread('the XML is too large to be searched')
  // Entities of a document type can make a small text endless.
  if (/<!DOCTYPE/i.test(text)) throw new XmlUnread('XML with a document type is not read')
  const { DOMParser, XMLSerializer } = await import('@xmldom/xmldom')
  const reasons: string[] = []
  const parser = new DOMParser({
    onError: (level, message) => {
      if (level !== 'warning') reasons.push(message)
    },
  })
  try {
    const document = parser.parseFromString(text, 'text/xml')
    if (reasons.length === 0) return { document, serializer: new XMLSerializer() }
  } catch (error) {
    reasons.push(error instanceof Error ? error.message : String(error))
  }
  throw new SelectorInvalid(`the context is no XML: ${(reasons[0] ?? '').split('\n')[0]}`)
}

// A name without a prefix is one of the namespace of the document: who writes "/root/pets" means what is there.
function optionsOf({ document }: Xml) {
  const root = document.documentElement
  return {
    namespaceResolver: (prefix: string): string | null =>
      prefix === '' ? (root?.namespaceURI ?? null) : (root?.lookupNamespaceURI(prefix) ?? null),
  }
}

async function within<T>(query: string, text: string, evaluate: (xml: Xml, paths: Paths) => T): Promise<T> {
  const xml = await parseXml(text)
  const paths = await import('fontoxpath')
  try {
    return evaluate(xml, paths)
  } catch (error) {
    throw new SelectorInvalid(`"${query}" cannot be evaluated: ${(error as Error).message.split('\n')[0]}`)
  }
}

type Paths = typeof import('fontoxpath')

/** The effective boolean value of an XPath (XPath 3.1, section 2.4.3). @throws SelectorInvalid */
export const isTrueIn = (query: string, text: string): Promise<boolean> =>
  within(query, text, (xml, paths) => paths.evaluateXPathToBoolean(query, xml.document, null, null, optionsOf(xml)))

/** What an XPath selects, as texts, numbers and truth values. @throws SelectorInvalid */
export const selectIn = (query: string, text: string): Promise<Json | undefined> =>
  within(query, text, (xml, paths) => {
    const found = paths.evaluateXPath(
      `for $it in (${query}) return if ($it instance of node()) then string($it) else $it`,
      xml.document,
      null,
      null,
      paths.evaluateXPath.ALL_RESULTS_TYPE,
      optionsOf(xml),
    ) as Json[]
    return found.length > 1 ? found : found[0]
  })

/**
 * An XML text with another text in each node that an XPath selects: an attribute, a text, or the whole content of an element.
 * @throws SelectorInvalid also where it selects no node
 */
export const replaceIn = (query: string, text: string, value: string): Promise<string> =>
  within(query, text, (xml, paths) => {
    const nodes = paths.evaluateXPathToNodes(query, xml.document, null, null, optionsOf(xml)) as unknown as {
      textContent: string | null
      nodeValue: string | null
      readonly nodeType: number
    }[]
    if (nodes.length === 0) throw new Error('it selects no node')
    for (const node of nodes)
      if (node.nodeType === 1) node.textContent = value
      else node.nodeValue = value
    return xml.serializer.serializeToString(xml.document)
  })
