/** How guides are read that a script follows: what is written, run and expected, in the order of the guide. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { blocksOf, commandsIn, readGuide, says, stepsOf } from '../../scripts/gateway/guide.ts'

const guide = (name: string) =>
  readGuide(join(import.meta.dir, '../../docs/guides', name)).map((step) => {
    if (step.kind === 'file') return `${step.section}: writes ${step.path}`
    if (step.kind === 'run') return `${step.section}: ${commandsIn(step.text).join('; ')} (${step.expected.length})`
    return `${step.section}: shows ${step.language}`
  })

test('the guides of nginx and Caddy are steps that a script can take', () => {
  expect(guide('gateway-nginx.md')).toEqual([
    '1. Install: apt-get install nginx libnginx-mod-http-modsecurity modsecurity-crs; svc gateway enforcer create production edge-1 --engine modsecurity (0)',
    '1. Install: writes /etc/svc-gateway.env',
    '2. Start the agent: writes /etc/systemd/system/svc-gateway.service',
    '2. Start the agent: systemctl enable --now svc-gateway (0)',
    '2. Start the agent: journalctl -u svc-gateway (3)',
    '3. Include it in nginx: writes /etc/nginx/conf.d/api.example.com.conf',
    '3. Include it in nginx: nginx -t && systemctl reload nginx; journalctl -fu svc-gateway (2)',
    '3. Include it in nginx: svc gateway policy show production; svc gateway enforcer list production (2)',
    'What the folder has: svc gateway check /var/lib/svc-gateway (0)',
    'Logs: writes /etc/logrotate.d/svc-gateway',
  ])
  expect(guide('gateway-caddy.md')).toEqual([
    '1. Add the gateway: svc gateway enforcer create production edge-1 --engine coraza-caddy (0)',
    '1. Add the gateway: writes .env',
    '2. Four files: writes Dockerfile',
    '2. Four files: writes Caddyfile',
    '2. Four files: writes compose.yaml',
    '2. Four files: docker compose up --build (2)',
    '2. Four files: svc gateway enforcer list production (2)',
    'Without containers: svc gateway run --dir /var/lib/svc-gateway --engine caddy --health http://localhost:8089/ --access-log /var/log/caddy/access.log (0)',
    'Why the site imports a file of the release: shows text',
  ])
})

test('blocks are files by their first line or by the paragraph before; text after commands is what they write', () => {
  const markdown = `# One
\`a.txt\`: it has this.
\`\`\`text
x
\`\`\`
\`\`\`sh
#!/bin/sh
# /usr/local/bin/a
true
\`\`\`
\`\`\`sh
# a comment
b \\
  --c
\`\`\`
\`\`\`text
d …
\`\`\`
## Two
\`\`\`text
e
\`\`\`
`
  const steps = stepsOf(blocksOf(markdown))
  expect(steps.map(({ kind, section, line }) => [kind, section, line])).toEqual([
    ['file', 'One', 3],
    ['file', 'One', 6],
    ['run', 'One', 11],
    ['other', 'Two', 20],
  ])
  expect(steps.flatMap((it) => (it.kind === 'file' ? [it.path] : []))).toEqual(['a.txt', '/usr/local/bin/a'])
  expect(steps.flatMap((it) => (it.kind === 'run' ? [commandsIn(it.text), it.expected] : []))).toEqual([
    ['b --c'],
    ['d …'],
  ])
})

test('an output says the lines of a guide in their order; an ellipsis is any text', () => {
  const output = 'one  1\nnoise\nrelease=7 of (a)\ntwo 2\n'
  expect(says(output, ['one 1', 'release=… of (a)', 'two 2'])).toBe(true)
  expect(says(output, ['two 2', 'one 1'])).toBe(false)
  expect(says(output, ['release=7 of a'])).toBe(false)
  expect(says(output, [])).toBe(true)
})
