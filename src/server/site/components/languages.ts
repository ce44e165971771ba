/** The grammars that code is highlighted with; imported one by one, so that a bundler takes no other. */
import bash from "shiki/langs/bash.mjs";
import c from "shiki/langs/c.mjs";
import cpp from "shiki/langs/cpp.mjs";
import csharp from "shiki/langs/csharp.mjs";
import css from "shiki/langs/css.mjs";
import dart from "shiki/langs/dart.mjs";
import diff from "shiki/langs/diff.mjs";
import docker from "shiki/langs/docker.mjs";
import dotenv from "shiki/langs/dotenv.mjs";
import elixir from "shiki/langs/elixir.mjs";
import go from "shiki/langs/go.mjs";
import graphql from "shiki/langs/graphql.mjs";
import hcl from "shiki/langs/hcl.mjs";
import html from "shiki/langs/html.mjs";
import http from "shiki/langs/http.mjs";
import ini from "shiki/langs/ini.mjs";
import java from "shiki/langs/java.mjs";
import javascript from "shiki/langs/javascript.mjs";
import json from "shiki/langs/json.mjs";
import jsonc from "shiki/langs/jsonc.mjs";
import jsx from "shiki/langs/jsx.mjs";
import kotlin from "shiki/langs/kotlin.mjs";
import lua from "shiki/langs/lua.mjs";
import make from "shiki/langs/make.mjs";
import markdown from "shiki/langs/markdown.mjs";
import mdx from "shiki/langs/mdx.mjs";
import nginx from "shiki/langs/nginx.mjs";
import php from "shiki/langs/php.mjs";
import powershell from "shiki/langs/powershell.mjs";
import prisma from "shiki/langs/prisma.mjs";
import proto from "shiki/langs/proto.mjs";
import python from "shiki/langs/python.mjs";
import ruby from "shiki/langs/ruby.mjs";
import rust from "shiki/langs/rust.mjs";
import scss from "shiki/langs/scss.mjs";
import shellsession from "shiki/langs/shellsession.mjs";
import sql from "shiki/langs/sql.mjs";
import svelte from "shiki/langs/svelte.mjs";
import swift from "shiki/langs/swift.mjs";
import toml from "shiki/langs/toml.mjs";
import tsx from "shiki/langs/tsx.mjs";
import typescript from "shiki/langs/typescript.mjs";
import vue from "shiki/langs/vue.mjs";
import xml from "shiki/langs/xml.mjs";
import yaml from "shiki/langs/yaml.mjs";

const grammars = {
  bash,
  c,
  cpp,
  csharp,
  css,
  dart,
  diff,
  docker,
  dotenv,
  elixir,
  go,
  graphql,
  hcl,
  html,
  http,
  ini,
  java,
  javascript,
  json,
  jsonc,
  jsx,
  kotlin,
  lua,
  make,
  markdown,
  mdx,
  nginx,
  php,
  powershell,
  prisma,
  proto,
  python,
  ruby,
  rust,
  scss,
  shellsession,
  sql,
  svelte,
  swift,
  toml,
  tsx,
  typescript,
  vue,
  xml,
  yaml,
};

type GrammarName = keyof typeof grammars;

const aliases: Readonly<Record<string, GrammarName>> = {
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "shellsession",
  terminal: "bash",
  "c++": "cpp",
  "c#": "csharp",
  cs: "csharp",
  dockerfile: "docker",
  env: "dotenv",
  ex: "elixir",
  exs: "elixir",
  golang: "go",
  gql: "graphql",
  terraform: "hcl",
  tf: "hcl",
  svg: "xml",
  properties: "ini",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  json5: "jsonc",
  kt: "kotlin",
  makefile: "make",
  md: "markdown",
  ps1: "powershell",
  pwsh: "powershell",
  protobuf: "proto",
  py: "python",
  python3: "python",
  rb: "ruby",
  rs: "rust",
  sass: "scss",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  yml: "yaml",
};

/** A grammar and how to get it. */
export interface Grammar {
  readonly name: GrammarName;
  load(): (typeof grammars)[GrammarName];
}

/** The grammar for a code block's language; `undefined` where there is none. */
export function grammarOf(language: string): Grammar | undefined {
  const wanted = language.toLowerCase();
  const name = Object.hasOwn(grammars, wanted) ? (wanted as GrammarName) : aliases[wanted];
  return name === undefined ? undefined : { name, load: () => grammars[name] };
}
