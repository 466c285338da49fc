import { patternOf } from './pattern.ts'

const special = /[.+^${}()|\\]/g

function translate(glob: string): string {
  let out = ''
  for (let at = 0; at < glob.length; at++) {
    const c = glob[at] as string
    if (glob.startsWith('**/', at)) {
      out += '(?:.*/)?'
      at += 2
    } else if (glob.startsWith('**', at)) {
      out += '.*'
      at++
    } else if (c === '*') out += '[^/]*'
    else if (c === '?') out += '[^/]'
    else if (c === '{' && /^\{[^}]*,[^}]*\}/.test(glob.slice(at))) {
      const end = glob.indexOf('}', at)
      out += `(?:${glob
        .slice(at + 1, end)
        .split(',')
        .map(translate)
        .join('|')})`
      at = end
    } else if (c === '[' && glob.includes(']', at)) {
      const end = glob.indexOf(']', at)
      out += `[${glob
        .slice(at + 1, end)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\')}]`
      at = end
    } else out += c.replace(special, '\\$&')
  }
  return out
}

/** Whether a whole text matches a glob: `*` stays between slashes, `**` does not; `{a,b}` is a choice, and braces without a comma are themselves. */
export const matchesGlob = (text: string, glob: string): boolean =>
  patternOf(`^${translate(glob)}$`)?.test(text) === true

/** Whether a file name matches a glob (`*`, `**`, `?`, `{a,b}`, `[…]`); a glob without "/" is tried on the last part of the name. */
export function fitsGlob(name: string, glob: string): boolean {
  const plain = name.replace(/^\.\//, '')
  const wanted = glob.replace(/^\.\//, '')
  const target = wanted.includes('/') ? plain : plain.slice(plain.lastIndexOf('/') + 1)
  return patternOf(`^${translate(wanted)}$`)?.test(target) === true
}
