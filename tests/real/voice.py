#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A voice that needs no sound, as a module of speech-dispatcher: it takes the time of speaking, and
then writes what it has said as one line of a file. What was cut off is not there.

usage: voice.py FILE

The protocol is that of speech-dispatcher's manual, "Output Modules Protocol".
"""

import re
import sys
import threading
import xml.etree.ElementTree

SECONDS = 0.015  # for each character, as a fast voice


def strip_markup(text):
    """speech-dispatcher is given SSML; what is behind its end was not meant to be spoken."""
    end = '</speak>'
    if end not in text:
        return text
    document = text[:text.index(end) + len(end)]
    return ''.join(xml.etree.ElementTree.fromstring(document).itertext())


class Voice:
    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        self.stopped = None

    def reply(self, *lines):
        with self.lock:
            sys.stdout.write(''.join(line + '\n' for line in lines))
            sys.stdout.flush()

    def read_data(self):
        lines = []
        for line in iter(sys.stdin.readline, ''):
            if line == '.\n':
                break
            lines.append(line[line.startswith('..'):].rstrip('\r\n'))
        return '\n'.join(lines)

    def say(self, text, stopped):
        self.reply('701 BEGIN')
        if stopped.wait(len(text) * SECONDS):
            self.reply('703 STOP')
            return
        with open(self.path, 'a', encoding='utf-8') as file:
            file.write(re.sub(r'\s', ' ', text) + '\n')
        self.reply('702 END')

    def speak(self):
        self.reply('202 OK RECEIVING MESSAGE')
        text = strip_markup(self.read_data())
        self.stopped = threading.Event()
        self.reply('200 OK SPEAKING')
        threading.Thread(target=self.say, args=(text, self.stopped), daemon=True).start()

    def stop(self):
        if self.stopped is not None:
            self.stopped.set()

    def set(self, first, last):
        self.reply(first)
        self.read_data()
        self.reply(last)

    def listen(self):
        commands = {
            'INIT': lambda: self.reply('299-It speaks into a file.', '299 OK LOADED SUCCESSFULLY'),
            'AUDIO': lambda: self.set('207 OK RECEIVING AUDIO SETTINGS', '203 OK AUDIO INITIALIZED'),
            'LOGLEVEL': lambda: self.set('207 OK RECEIVING LOGLEVEL SETTINGS',
                                         '203 OK LOGLEVEL SET'),
            'SET': lambda: self.set('203 OK RECEIVING SETTINGS', '203 OK SETTINGS RECEIVED'),
            'LIST VOICES': lambda: self.reply('200-male1\ten\tnone', '200 OK VOICE LIST SENT'),
            'SPEAK': self.speak, 'CHAR': self.speak, 'KEY': self.speak, 'SOUND_ICON': self.speak,
            'STOP': self.stop, 'PAUSE': self.stop}
        for line in iter(sys.stdin.readline, ''):
            if line == 'QUIT\n':
                self.reply('210 OK QUIT')
                return
            command = 'LIST VOICES' if line.startswith('LIST VOICES') else line.strip()
            commands.get(command, lambda: self.reply('300 ERR UNKNOWN COMMAND'))()


if __name__ == '__main__':
    sys.stdin.reconfigure(encoding='utf-8', errors='replace')
    sys.stdout.reconfigure(encoding='utf-8')
    Voice(sys.argv[1]).listen()
