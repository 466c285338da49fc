import { expect, test } from 'bun:test'
import { manifest } from './manifest-fixtures.ts'

const texts = { name: 'com.example/orders', description: 'Finds orders.', version: '1.2.0' }

test('How a package is started is kept, without the values of secrets.', () => {
  const { packages, transports } = manifest({
    ...texts,
    packages: [
      {
        registryType: 'npm',
        identifier: 'a',
        runtimeHint: 'npx',
        transport: { type: 'sse', url: 'http://127.0.0.1:{port}/sse' },
        packageArguments: [
          { type: 'named', name: '--api-key', value: 'hunter2', isRequired: true },
          { type: 'positional', valueHint: 'file', value: 'Bearer hunter2', isRepeated: true },
          {
            type: 'positional',
            value: '--port {port}',
            variables: { port: { description: 'The port.', choices: ['1', '2'] } },
          },
        ],
      },
    ],
    remotes: [{ type: 'sse', url: 'https://{tenant}.example', variables: { tenant: { isRequired: true } } }],
  }).servers[0]!
  const argument = {
    name: null,
    valueHint: null,
    description: null,
    value: null,
    default: null,
    isRequired: false,
    isRepeated: false,
    isSecret: false,
    variables: [],
  }
  const variable = { in: 'variable' as const, description: null, isRequired: false, isSecret: false }
  expect(packages.map((it) => it.launch)).toEqual([
    {
      runtimeHint: 'npx',
      runtimeArguments: [],
      packageArguments: [
        { ...argument, type: 'named', name: '--api-key', isRequired: true, isSecret: true },
        { ...argument, type: 'positional', valueHint: 'file', isRepeated: true },
        {
          ...argument,
          type: 'positional',
          value: '--port {port}',
          variables: [{ ...variable, name: 'port', description: 'The port.', choices: ['1', '2'] }],
        },
      ],
      transport: { type: 'sse', address: 'http://127.0.0.1:{port}/sse' },
      fileSha256: null,
    },
  ])
  expect(transports[0]!.inputs).toEqual([{ ...variable, name: 'tenant', isRequired: true }])
})

test('The address of a request takes the place of a template, and of nothing else.', () => {
  const ways = (remotes: readonly object[]): unknown =>
    manifest({ ...texts, remotes }, { endpointUrl: 'https://c.example' }).servers[0]!.transports.map((it) => [
      it.type,
      it.address,
      it.inputs.map((one) => one.name),
    ])
  const headers = [{ name: 'X-Team' }]
  const fixed = { type: 'sse', url: 'https://a.example', headers }
  expect(ways([fixed])).toEqual([
    ['sse', 'https://c.example', []],
    ['sse', 'https://a.example', ['X-Team']],
  ])
  expect(
    ways([fixed, { type: 'streamable-http', url: 'https://{b}.example', headers: [{ name: 'X-Other' }] }]),
  ).toEqual([
    ['streamable_http', 'https://c.example', ['X-Other']],
    ['sse', 'https://a.example', ['X-Team']],
  ])
  expect(ways([{ type: 'sse', url: 'https://c.example/', headers }])).toEqual([
    ['sse', 'https://c.example', ['X-Team']],
  ])
})
