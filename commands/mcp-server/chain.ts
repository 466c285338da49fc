import { Type } from '@sinclair/typebox'
import { command } from '../../cli/declare.ts'
import { chainText, findTool, matrixOf, matrixText } from '../../cli/mcp-server/chain.ts'
import { chainOf } from '../../src/mcp-catalogue/chain.ts'

export default command({
  summary: 'Decide whether the output of one tool fits the input of another',
  description:
    'Compares the values that the output schema of the first tool allows with those that the input schema of the second one takes; a value that is refused is shown. With a server alone, each of its tools is compared with each other one. At most 20 tools are compared on each side; what is left out is named. A server is one of the catalogue, or a file with the answer to tools/list. Exit codes: 4 if some output does not fit, or if it is undecided; a matrix exits with 0.',
  examples: [
    'svc mcp-server chain com.example/geo.find_place com.example/weather.get_forecast',
    'svc mcp-server chain com.example/weather',
    'svc mcp-server chain tools.json.find_place tools.json.get_forecast',
  ],
  arguments: [
    { name: 'from', required: true, summary: 'SERVER.TOOL whose output is used, or a SERVER for all its tools' },
    { name: 'to', summary: 'SERVER.TOOL whose input it becomes' },
  ],
  options: {},
  isBounded: true,
  dataSchema: Type.Unknown(),
  async run(invocation) {
    const { from, to } = invocation.args
    if (to === undefined) {
      const matrix = await matrixOf(from, invocation)
      return { data: matrix, text: matrixText(matrix) }
    }
    const [first, second] = [await findTool(from, invocation), await findTool(to, invocation)]
    const chained = chainOf(first.tool, second.tool)
    return { data: chained, text: chainText(chained), exitCode: chained.fits === true ? 0 : 4 }
  },
})
