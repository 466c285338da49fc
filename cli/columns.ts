/** Text in columns as a terminal shows it: wide characters (CJK, emoji) take two cells, combining marks none. */
import { terminalWidth } from '../src/host/native.ts'

/** The text with spaces after it, `width` cells wide. */
export const padCells = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - terminalWidth(text)))

/** The text in lines of at most `width` cells, broken at spaces, each line indented. A longer word has its own line. */
export const wrapText = (text: string, width: number, indent: string): string => {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && terminalWidth(line) + 1 + terminalWidth(word) > width - indent.length) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    lines.push(line)
  }
  return lines.map((line) => (line === '' ? '' : indent + line)).join('\n')
}
