/** What the reader prefers of JSON and YAML (RFC 9110, section 12.5.1); JSON where both are equal. */
export function negotiateSyntax(accept: string): 'json' | 'yaml' {
  let best: { syntax: 'json' | 'yaml'; quality: number } = { syntax: 'json', quality: -1 }
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const json = /\bjson\b|\*\/\*|application\/\*/.test(type) ? 'json' : null
    const syntax = /\byaml\b|\bx-yaml\b/.test(type) ? 'yaml' : json
    if (syntax === null) continue
    const given = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = given === undefined ? 1 : Number(given.slice(2)) || 0
    if (quality > best.quality) best = { syntax, quality }
  }
  return best.syntax
}
