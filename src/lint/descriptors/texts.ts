import { isObject } from '../../kernel/json.ts'
import type { LintFunction } from '../rule.ts'
import { findHiddenText } from '../../kernel/hidden-text.ts'

const longest = 80

/** No name or text has characters that do not show. For keys and values alike. */
export const visibleText: LintFunction = (input) => {
  const hidden = typeof input === 'string' ? findHiddenText(input) : null
  if (hidden === null) return []
  const { kinds, spelled } = hidden
  const cut = spelled.length > longest ? `${spelled.slice(0, longest)}…` : spelled
  return [{ message: `Hidden text: ${kinds.join(', ')}${cut === '' ? '' : `, spelling ${JSON.stringify(cut)}`}.` }]
}

const suspects: readonly (readonly [RegExp, string])[] = [
  [/<\s*\/?\s*(?:important|system|secret|instructions?|hidden|admin)\s*>/i, 'a tag addressed to the model'],
  [
    /\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:the\s+|your\s+)?(?:previous|prior|earlier|above)\s+(?:instructions?|prompts?|rules|messages?)/i,
    'an instruction to ignore other instructions',
  ],
  [
    /\b(?:do\s+not|don't|never)\s+(?:tell|mention|inform|reveal|show|notify)\s+(?:this\s+|it\s+|anything\s+)?(?:to\s+)?(?:the\s+)?users?\b/i,
    'an instruction to hide something from the user',
  ],
  [/<!--[\s\S]*?-->/, 'an HTML comment, which is invisible to users'],
  [
    /\byou\s+(?:must|have\s+to)\s+(?:first|always)\s+(?:call|use|run|read)\b/i,
    'an instruction to act before the user asks',
  ],
  [
    /\b(?:before|after)\s+(?:using|calling|running|you\s+(?:use|call|run))\s+(?:any|every|each|all)\s+(?:of\s+the\s+)?(?:other\s+)?tools?\b/i,
    'an instruction about the use of other tools',
  ],
  [
    /\b(?:send|pass|include|forward|copy|attach|provide)\s+(?:the\s+|this\s+|your\s+)?(?:whole|entire|full|complete|all\s+(?:of\s+)?the)\s+(?:conversation|chat|prompt|context|message\s+history|history)\b/i,
    'an instruction to send the conversation',
  ],
  [/(?:~|\/home\/\w+)?\/?\.ssh\/id_|\bid_rsa\b|\bmcp\.json\b/i, 'the location of secrets'],
]

/** A description describes: it gives the model no orders behind the back of the user. */
export const plainDescription: LintFunction = (input) => {
  if (typeof input !== 'string') return []
  return suspects.flatMap(([pattern, what]) =>
    pattern.test(input) ? [{ message: `The description contains ${what}.` }] : [],
  )
}

/** A text is there and says something. */
export const described: LintFunction = (input, { what }) => {
  const text = isObject(input) ? input.description : undefined
  if (typeof text === 'string' && text.trim() !== '') return []
  return [{ message: `The ${String(what)} has no description.` }]
}
