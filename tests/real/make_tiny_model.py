#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a language model that says nothing sensible, for tests against a real model server.

usage: make_tiny_model.py FILE [--layers N] [--width N] [--end W] [--call W] [--close W]

The file is GGUF version 3, architecture "llama", with 32-bit weights. What the model says is made
in two places. Dimension 0 of the hidden state is the same for every token, so its column in the
output matrix is how likely each token is by itself: words are, stray bytes are not, --end is the
weight of the end of the answer, --call that of a tool call's beginning, and --close that of what
ends a string or object in JSON. Two further dimensions each tie one token to the one that must
follow it. The rest is random. All layers share one block of
random numbers, since they only have to take time: more layers and width make a slower model.
"""

import argparse
import array
import random
import struct

SYLLABLES = 'ba ce di fo gu ka le mi no pu ra se ti vo zu shi tra ple gro fen'.split()
MARKS = list('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') + \
    list('"{}[]:,.!?-_/\\\'()<>=+*#@&%$;|~^`') + ['\n', '\u2581']
CLOSING = ('"', '}', ']', ',')
FIXED = 3  # dimensions with a meaning: what is likely by itself, and two that tie tokens together

START, END, CALL, CALL_END = '<|im_start|>', '<|im_end|>', '<tool_call>', '</tool_call>'
NORMAL, UNKNOWN, CONTROL, USER, BYTE = 1, 2, 3, 4, 6

# The template names tools and calls between the tags by which the server recognises this family.
TEMPLATE = '''\
{%- macro turn(role, text) -%}
<|im_start|>{{ role }}
{{ text }}<|im_end|>
{% endmacro -%}
{%- if tools -%}
<|im_start|>system
Tools that may be called, one JSON object each:
<tools>
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}
</tools>
A call is a JSON object with "name" and "arguments" between <tool_call> and </tool_call>:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call><|im_end|>
{% endif -%}
{%- for message in messages -%}
{%- if message.role == 'tool' -%}
{{ turn('user', '<tool_response>\\n' + message.content + '\\n</tool_response>') }}
{%- elif message.role == 'assistant' and message.tool_calls -%}
<|im_start|>assistant
{{ message.content or '' }}
{%- for call in message.tool_calls %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>
{%- endfor %}<|im_end|>
{% else -%}
{{ turn(message.role, message.content) }}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
{% endif -%}
'''


class Token:
    def __init__(self, text, kind, weight, score=0.0):
        self.text, self.kind, self.weight, self.score = text, kind, weight, score


def make_vocabulary(end, call, close):
    tokens = [Token('<unk>', UNKNOWN, -30), Token('<s>', CONTROL, -30), Token('</s>', CONTROL, -30),
              Token(START, CONTROL, -30), Token(END, CONTROL, end), Token(CALL, USER, call),
              Token(CALL_END, USER, call)]
    tokens += [Token(f'<0x{value:02X}>', BYTE, -25) for value in range(256)]
    # Words are built of syllables from the left, so that the tokenizer can merge its way to them.
    for first in SYLLABLES:
        tokens.append(Token('\u2581' + first, NORMAL, -1, -10))
        tokens += [Token('\u2581' + first + second, NORMAL, 0, -20) for second in SYLLABLES]
    for mark in MARKS:
        weight = close if mark in CLOSING else -9 if mark == '<' else -4
        tokens.append(Token(mark, NORMAL, weight, -1000))
    return tokens


def gaussians(source, count, scale):
    return array.array('f', (source.gauss(0, scale) for _ in range(count)))


def make_embeddings(tokens, width, source):
    """The two matrices that decide what is said: (into the model, out of it)."""
    constant = 4.0
    shown = constant / ((constant * constant + width) / width) ** 0.5  # after the last norm
    into = gaussians(source, len(tokens) * width, 1.0)
    out = gaussians(source, len(tokens) * width, 1.2 * width ** -0.5)
    index = {token.text: i for i, token in enumerate(tokens)}
    for i, token in enumerate(tokens):
        into[i * width] = constant
        out[i * width] = token.weight / shown
    for dimension, (before, after) in enumerate(((CALL, '\n'), (CALL_END, END)), 1):
        for i in range(len(tokens)):
            into[i * width + dimension] = out[i * width + dimension] = 0.0
        into[index[before] * width + dimension] = 50.0
        out[index[after] * width + dimension] = 7.0
    return into, out


def make_tensors(tokens, layers, width, source):
    """(name, shape, weights); the first number of a shape is the length of a row."""
    hidden = 4 * width
    into, out = make_embeddings(tokens, width, source)
    ones = array.array('f', [1.0]) * width
    # Weak, so that however many layers there are, they change little of what is said.
    noise = gaussians(source, 65536, 0.1 * width ** -0.5)

    def block(rows, row, silent=0):
        """ROWS of noise; the first SILENT are zero, so that these dimensions stay as they are."""
        wanted = rows * row
        whole = (noise * (wanted // len(noise) + 1))[:wanted]
        whole[:silent * row] = array.array('f', [0.0]) * (silent * row)
        return whole

    square, up = block(width, width), block(hidden, width)
    back, down = block(width, width, FIXED), block(width, hidden, FIXED)
    yield 'token_embd.weight', (width, len(tokens)), into
    for layer in range(layers):
        name = f'blk.{layer}.'
        yield name + 'attn_norm.weight', (width,), ones
        for part in ('q', 'k', 'v'):
            yield f'{name}attn_{part}.weight', (width, width), square
        yield name + 'attn_output.weight', (width, width), back
        yield name + 'ffn_norm.weight', (width,), ones
        yield name + 'ffn_gate.weight', (width, hidden), up
        yield name + 'ffn_up.weight', (width, hidden), up
        yield name + 'ffn_down.weight', (hidden, width), down
    yield 'output_norm.weight', (width,), ones
    yield 'output.weight', (width, len(tokens)), out


# --- GGUF (little endian; https://github.com/ggml-org/ggml/blob/master/docs/gguf.md) -------------

ALIGNMENT = 32
TYPE_U32, TYPE_F32, TYPE_BOOL, TYPE_STRING, TYPE_ARRAY, TYPE_I32 = 4, 6, 7, 8, 9, 5


def pack_string(text):
    data = text.encode()
    return struct.pack('<Q', len(data)) + data


def pack_value(value):
    """The type's number and the value, the type taken from Python's."""
    if isinstance(value, bool):
        return struct.pack('<I?', TYPE_BOOL, value)
    if isinstance(value, int):
        return struct.pack('<II', TYPE_U32, value)
    if isinstance(value, float):
        return struct.pack('<If', TYPE_F32, value)
    if isinstance(value, str):
        return struct.pack('<I', TYPE_STRING) + pack_string(value)
    kind = {str: TYPE_STRING, float: TYPE_F32, int: TYPE_I32}[type(value[0])]
    head = struct.pack('<IIQ', TYPE_ARRAY, kind, len(value))
    if kind == TYPE_STRING:
        return head + b''.join(map(pack_string, value))
    return head + array.array('f' if kind == TYPE_F32 else 'i', value).tobytes()


def padding(size):
    return b'\0' * (-size % ALIGNMENT)


def write(path, metadata, tensors):
    table, offset = b'', 0
    for name, shape, weights in tensors:
        table += pack_string(name) + struct.pack(f'<I{len(shape)}Q', len(shape), *shape)
        table += struct.pack('<IQ', 0, offset)
        size = len(weights) * weights.itemsize
        offset += size + len(padding(size))
    head = b'GGUF' + struct.pack('<IQQ', 3, len(tensors), len(metadata))
    head += b''.join(pack_string(key) + pack_value(value) for key, value in metadata.items())
    head += table
    with open(path, 'wb') as file:
        file.write(head + padding(len(head)))
        for _, _, weights in tensors:
            data = weights.tobytes()
            file.write(data + padding(len(data)))


def make(path, layers=2, width=64, end=2.0, call=-30.0, close=-4.0, context=16384):
    source = random.Random(20)
    tokens = make_vocabulary(end, call, close)
    heads = 4
    metadata = {
        'general.architecture': 'llama', 'general.name': 'nonsense', 'general.alignment': ALIGNMENT,
        'general.file_type': 0, 'llama.vocab_size': len(tokens), 'llama.context_length': context,
        'llama.embedding_length': width, 'llama.block_count': layers,
        'llama.feed_forward_length': 4 * width, 'llama.attention.head_count': heads,
        'llama.attention.head_count_kv': heads, 'llama.rope.dimension_count': width // heads,
        'llama.rope.freq_base': 10000.0, 'llama.attention.layer_norm_rms_epsilon': 1e-5,
        'tokenizer.ggml.model': 'llama', 'tokenizer.ggml.pre': 'default',
        'tokenizer.ggml.tokens': [token.text for token in tokens],
        'tokenizer.ggml.scores': [float(token.score) for token in tokens],
        'tokenizer.ggml.token_type': [token.kind for token in tokens],
        'tokenizer.ggml.unknown_token_id': 0, 'tokenizer.ggml.bos_token_id': 1,
        'tokenizer.ggml.eos_token_id': 4, 'tokenizer.ggml.add_bos_token': True,
        'tokenizer.ggml.add_eos_token': False, 'tokenizer.ggml.add_space_prefix': False,
        'tokenizer.chat_template': TEMPLATE,
    }
    write(path, metadata, list(make_tensors(tokens, layers, width, source)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('path', metavar='FILE')
    parser.add_argument('--layers', type=int, default=2)
    parser.add_argument('--width', type=int, default=64)
    parser.add_argument('--end', type=float, default=2.0)
    parser.add_argument('--call', type=float, default=-30.0)
    parser.add_argument('--close', type=float, default=-4.0)
    make(**vars(parser.parse_args()))


if __name__ == '__main__':
    main()
