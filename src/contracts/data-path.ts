/** A step of a data path: into a property, or into the items of an array. */
export type Step = { readonly name: string } | 'items'

const escape = (name: string): string => name.replaceAll(/[\\.[\]]/g, (it) => `\\${it}`)

/** Writes a data path: `order.lines[].price`, `[].id` for items of a list at the root; dots in names are escaped: `a\.b`. */
export const formatDataPath = (steps: readonly Step[]): string => {
  let text = ''
  for (const step of steps) {
    if (step === 'items') text += '[]'
    else text += text === '' ? escape(step.name) : `.${escape(step.name)}`
  }
  return text
}

/** Reads a data path; null if the text is invalid: an empty name, or a bracket other than `[]`. */
export const parseDataPath = (text: string): readonly Step[] | null => {
  const steps: Step[] = []
  let at = 0
  let name = ''
  let named = false
  let afterItems = false
  const finish = (): boolean => {
    if (named) steps.push({ name })
    else if (!afterItems) return false
    name = ''
    named = false
    afterItems = false
    return true
  }
  while (at < text.length) {
    const char = text[at]!
    if (char === '\\' && at + 1 < text.length) {
      name += text[at + 1]!
      named = true
      at += 2
    } else if (char === '.') {
      if (!finish()) return null
      at++
      if (at === text.length) return null
    } else if (text.startsWith('[]', at)) {
      if (named) steps.push({ name })
      else if (!afterItems && steps.length > 0) return null
      name = ''
      named = false
      steps.push('items')
      afterItems = true
      at += 2
    } else if (char === '[' || char === ']' || afterItems) return null
    else {
      name += char
      named = true
      at++
    }
  }
  return finish() ? steps : null
}
